/** Start. */
export function StartView() {
  return <h1>Start</h1>
}
