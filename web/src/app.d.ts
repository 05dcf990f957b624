// Declares no additions to SvelteKit's own types.
declare global {
  namespace App {}
}

export {};
