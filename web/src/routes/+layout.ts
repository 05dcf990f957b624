// Switches server-side rendering off. The server sends the same file for every path.
export const ssr = false;
export const prerender = false;
