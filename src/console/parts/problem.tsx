import { Refusal } from '../calls.ts'

/** Says why something failed; nothing where it did not. */
export function Problem({ error }: { readonly error: unknown }) {
  if (error === undefined) return null
  const errors = error instanceof Refusal ? error.errors : []
  return (
    <div class="problem" role="alert">
      <p>{error instanceof Error ? error.message : 'Something went wrong on this page.'}</p>
      {errors.length > 0 && (
        <ul>
          {errors.map(({ name, message }) => (
            <li key={name}>
              {name && <code>{name}</code>} {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
