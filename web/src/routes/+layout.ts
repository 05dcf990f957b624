// The page runs in the browser alone: the server sends one file for every path.
export const ssr = false;
export const prerender = false;
