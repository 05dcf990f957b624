// Compiles the messages of the page into functions: for the type check, or with the argument `tests` for the unit tests.
import { compile } from '@inlang/paraglide-js';
import { paraglide, paraglideOfTests } from './paraglide.js';

await compile(process.argv[2] === 'tests' ? paraglideOfTests : paraglide);
