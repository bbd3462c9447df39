/** Data. */
export function DataView() {
  return <h1>Data</h1>
}
