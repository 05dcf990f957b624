// SvelteKit's own types, with no additions.
declare global {
  namespace App {}
}

export {};
