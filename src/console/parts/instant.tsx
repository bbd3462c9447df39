import { type InstantPart, instantText } from './time.ts'

/** An instant in UTC; the whole of it for who asks. */
export function Instant({ at, part }: { readonly at: string; readonly part?: InstantPart }) {
  return (
    <time dateTime={at} title={at}>
      {instantText(at, part)}
    </time>
  )
}
