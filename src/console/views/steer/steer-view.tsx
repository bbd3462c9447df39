/** Steer. */
export function SteerView() {
  return <h1>Steer</h1>
}
