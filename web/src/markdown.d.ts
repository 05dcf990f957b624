// Type of the guide, which the build turns into blocks.
declare module '*.md' {
  const blocks: import('$lib/guide/blocks').Block[];
  export default blocks;
}
