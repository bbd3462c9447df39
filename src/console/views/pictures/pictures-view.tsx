/** Pictures. */
export function PicturesView() {
  return <h1>Pictures</h1>
}
