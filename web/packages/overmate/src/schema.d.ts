// Takes the forms of the server's OpenAPI document for the work tree. The published package has a generated file with only
// the forms of the engine in this place.
export type { components } from '../../../src/lib/api/schema';
