// Declares SvelteKit's own types without additions.
declare global {
  namespace App {}
}

export {};
