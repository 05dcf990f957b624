// Runs the example of the README in this folder, where the package is installed, and compares its output with the README.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const readme = readFileSync('node_modules/overmate/README.md', 'utf8');
const fenced = (language) => {
  const [, text] = new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\``, 'm').exec(readme) ?? [];
  assert.ok(text !== undefined, `the README has no block of ${language}`);
  return text;
};
writeFileSync('example.mjs', fenced('js'));
assert.equal(execFileSync(process.execPath, ['example.mjs'], { encoding: 'utf8' }), fenced('text'));
console.log('the example of the README prints the text below it');
