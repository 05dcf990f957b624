// Switches server-side rendering off: the server sends one file for every path.
export const ssr = false;
export const prerender = false;
