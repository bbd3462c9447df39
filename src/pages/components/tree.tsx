import { useState } from 'preact/hooks'

import { linkTo, param, setQuery } from '../place.ts'
import { type AnyRecord, getLabel, references } from '../views/data/collections.ts'
import { Copy } from './copy.tsx'
import { Button, useMore } from './ui.tsx'

const SHOWN = 100

/** Shorter parts are not folded at first. Units: characters of JSON. */
const SHORT = 200

interface TreeProps {
  readonly value: unknown
  readonly subject: string
  readonly collection?: string | undefined
  /** Whether the id of a record leads to the reason why it is there. */
  readonly hasReasons?: boolean
}

export function Tree({ value, subject, ...rest }: TreeProps) {
  const [text, setText] = useState('')
  return (
    <div class="tree">
      <p class="row">
        <input
          type="search"
          aria-label={`Search ${subject}`}
          placeholder={`Search ${subject}`}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <Copy text={JSON.stringify(value, undefined, 2)} subject={subject} />
      </p>
      {text !== '' && !contains(value, text) && (
        <p class="empty">
          Nothing in {subject} contains “{text}”.
        </p>
      )}
      <div class="mono">
        <Node value={value} text={text} isOpen {...rest} />
      </div>
    </div>
  )
}

interface NodeProps extends Omit<TreeProps, 'subject'> {
  readonly name?: string | undefined
  /** The text to search for; nothing below a name that contains it. */
  readonly text: string
  readonly isOpen?: boolean
}

function Node(props: NodeProps) {
  const { name, value, text, isOpen: isOpenAtFirst = false, collection, hasReasons } = props
  const [isOpen, setOpen] = useState(() => isOpenAtFirst || JSON.stringify(value).length < SHORT)
  const parts = typeof value === 'object' && value !== null ? Object.entries(value) : []
  const found = parts.filter(([key, child]) => contains(child, text) || includes(key, text))
  const [shown, more] = useMore(found, SHOWN, SHOWN)
  const label = name !== undefined && <span class="hint">"{name}": </span>
  if (typeof value !== 'object' || value === null) {
    return (
      <div>
        {label}
        <Leaf {...props} />
      </div>
    )
  }
  const isList = Array.isArray(value)
  const isShown = isOpen || text !== ''
  return (
    <details open={isShown} onToggle={({ currentTarget }) => text === '' && setOpen(currentTarget.open)}>
      <summary>
        {label}
        {isList ? `[ ${value.length} ]` : `{ ${isShown ? '' : describe(value)} }`}
      </summary>
      {isShown && (
        <div class="branch">
          {shown.map(([key, child]) => {
            const isItem = isList || key === 'items'
            return (
              <Node
                key={key}
                {...(!isList && { name: key })}
                value={child}
                text={includes(key, text) ? '' : text}
                isOpen={key === 'items'}
                hasReasons={hasReasons === true && isItem}
                collection={isItem ? collection : findNested(key)}
              />
            )
          })}
          {more}
        </div>
      )}
    </details>
  )
}

function Leaf({ name = '', value, collection, hasReasons }: Omit<NodeProps, 'text'>) {
  const text = JSON.stringify(value)
  const target = name === 'id' ? collection : references.get(name)
  if (target === undefined || typeof value !== 'number') return <>{text}</>
  return (
    <>
      <a href={linkTo('data', [target, text])}>{text}</a>{' '}
      {name === 'id' && hasReasons && param('record') !== text && (
        <Button class="quiet" aria-label={`Why ${text}?`} run={() => setQuery({ record: text })}>
          why?
        </Button>
      )}
    </>
  )
}

function describe(value: object): string {
  const { id = '', ...record }: AnyRecord = { ...value }
  return `${String(id)} ${getLabel(record)}`.trim().slice(0, 80)
}

const includes = (one: string, text: string): boolean => one.toLowerCase().includes(text.toLowerCase())

const contains = (value: unknown, text: string): boolean =>
  text === '' || includes(JSON.stringify(value) ?? '', text)

/** Finds the collection of the records in a field, as `members` for `owner` and `members`; undefined if none. */
const findNested = (field: string): string | undefined =>
  references.get(`${field}Id`) ?? Array.from(references.values()).find((name) => name === field)
