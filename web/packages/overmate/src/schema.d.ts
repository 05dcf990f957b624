// Takes the types of the server's OpenAPI document, for use in the work tree. The published package has a generated file
// with only the types of the engine in this place.
export type { components } from '../../../src/lib/api/schema';
