declare module 'layout-worker-source' {
  const source: string;
  export default source;
}
