// Declares an empty namespace `App`, because the page extends none of SvelteKit's types.
declare global {
  namespace App {}
}

export {};
