// One page for every path: the server sends files alone, and the browser does the rest.
export const ssr = false;
export const prerender = false;
