// Configures ESLint for faults that neither the type checker nor the formatter finds.
import js from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';
import svelteConfig from './svelte.config.js';

export default defineConfig(
  // Generated files are not checked.
  globalIgnores(['.svelte-kit/', 'build/', 'src/lib/paraglide/', 'src/lib/api/schema.d.ts']),
  js.configs.recommended,
  ts.configs.recommended,
  svelte.configs.recommended,
  svelte.configs.prettier,
  {
    languageOptions: { globals: { ...globals.browser, ...globals.node } },
    rules: {
      // The type checker already reports undefined names.
      'no-undef': 'off',
      // The server always serves the page at the root path of its host, so that links need no base path.
      'svelte/no-navigation-without-resolve': 'off'
    }
  },
  {
    // Lint rules that use type information check only TypeScript files. In a Svelte component, the linter sees other
    // components as `any`.
    files: ['**/*.ts'],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/no-unnecessary-type-assertion': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error'
    }
  },
  {
    files: ['e2e/*.spec.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: 'CallExpression[callee.property.name="focus"]',
          message: 'Call `focusOn`: `Locator.focus` does nothing while the element is hidden or disabled.'
        }
      ]
    }
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } }
  }
);
