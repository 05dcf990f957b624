// What SvelteKit's types leave open: nothing is added.
declare global {
  namespace App {}
}

export {};
