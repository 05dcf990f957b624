// Declares the type of the guide, which the build converts to blocks.
declare module '*.md' {
  const blocks: import('$lib/guide/blocks').Block[];
  export default blocks;
}
