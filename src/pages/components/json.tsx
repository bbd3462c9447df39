import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'

import { plural } from './format.tsx'
import { Button } from './ui.tsx'

const SHOWN = 100

const [SUMMARY_FIELDS, SUMMARY_LENGTH] = [2, 40]

interface JsonProps {
  readonly value: unknown
  readonly openDepth?: number
  /** Marks what differs from this value, and shows only the rows of lists that do. */
  readonly before?: { readonly value: unknown } | undefined
}

export function Json({ value, openDepth = 2, before }: JsonProps) {
  return (
    <div class="json">
      <Value value={value} levels={openDepth} before={before} />
    </div>
  )
}

interface ValueProps extends Omit<JsonProps, 'openDepth'> {
  readonly levels: number
  readonly label?: ComponentChildren
}

const isFilled = (value: unknown): value is object => isObject(value) && Object.keys(value).length > 0

function Value(props: ValueProps) {
  const { value, label, before } = props
  if (before && (!isFilled(value) || !isFilled(before.value))) return <Change {...props} before={before} />
  if (isFilled(value)) return <Collapsible {...props} value={value} />
  return (
    <div class="json-row">
      {label}
      <Leaf {...props} />
    </div>
  )
}

function Leaf({ value }: Pick<ValueProps, 'value'>) {
  const kind = value === null ? 'null' : typeof value
  return <span class={`json-${kind}`}>{JSON.stringify(value)}</span>
}

/** Renders a value that another one replaces; undefined if there is none. */
function Change({ value, label, before, ...rest }: ValueProps & { before: { value: unknown } }) {
  if (JSON.stringify(value) === JSON.stringify(before.value))
    return <Value {...rest} value={value} label={label} />
  return (
    <>
      {before.value !== undefined && (
        <del>
          <Value value={before.value} levels={0} label={label} />
        </del>
      )}
      {value !== undefined && (
        <ins>
          <Value {...rest} value={value} label={label} />
        </ins>
      )}
    </>
  )
}

const isSame = ([, one, other]: Pair): boolean => JSON.stringify(one) === JSON.stringify(other)

function Collapsible({ value, levels, label, before }: ValueProps & { value: object }) {
  const old = before?.value
  const isList = Array.isArray(value)
  const pairs = isFilled(old) ? pairParts(old, value) : undefined
  const isMoved = pairs?.some((pair) => !isSame(pair)) ?? false
  const entries = pairs ?? Object.entries(value).map(([name, part]): Pair => [name, undefined, part])
  const listed = isMoved && isList ? entries.filter((pair) => !isSame(pair)) : entries
  const [isOpen, setOpen] = useState(isMoved || (levels > 0 && entries.length <= SHOWN))
  const [shown, setShown] = useState(SHOWN)
  useEffect(() => {
    if (isMoved) setOpen(true)
  }, [isMoved])
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {label}
        <span class="json-count">
          {isList ? '[ ]' : '{ }'} {plural(Object.keys(value).length, isList ? 'item' : 'field')}
          {listed.length < entries.length && `, ${entries.length - listed.length} the same`}
        </span>
        {!isOpen && !isList && ' '}
        {!isOpen && !isList && <span class="json-summary">{summarizeFields(Object.entries(value))}</span>}
      </summary>
      {isOpen &&
        listed.slice(0, shown).map((pair) => {
          const [name, was, part] = pair
          return (
            <Value
              key={isList ? `${name} ${JSON.stringify(part)?.slice(0, 40)}` : name}
              value={part}
              levels={pairs && isSame(pair) ? 0 : levels - 1}
              before={pairs && { value: was }}
              label={<span class="json-key">{name}: </span>}
            />
          )
        })}
      {isOpen && listed.length > shown && (
        <Button run={() => setShown(shown + SHOWN)}>Show more of {listed.length}</Button>
      )}
    </details>
  )
}

function summarizeFields(entries: readonly (readonly [key: string, value: unknown])[]): string {
  return entries
    .filter(([, value]) => typeof value === 'number' || (typeof value === 'string' && value !== ''))
    .slice(0, SUMMARY_FIELDS)
    .map(([key, value]) => `${key}: ${String(value).slice(0, SUMMARY_LENGTH)}`)
    .join(', ')
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** A part of two JSON values: its name or position, and what each has there; undefined if one does not have it. */
type Pair = readonly [name: string, before: unknown, after: unknown]

const getPart = (value: object, name: string): unknown => Reflect.get(value, name)

const getId = (value: unknown): unknown => (isObject(value) ? getPart(value, 'id') : undefined)

/** Pairs the parts of two JSON values, those of lists by their ids. Order: as in the second, then those that only the first has. */
function pairParts(before: object, after: object): readonly Pair[] {
  if (!Array.isArray(before) || !Array.isArray(after) || getId(before[0] ?? after[0]) === undefined) {
    const names = new Set([after, before].flatMap(Object.keys))
    return [...names].map((name) => [name, getPart(before, name), getPart(after, name)])
  }
  const rest = new Map(before.map((one: unknown, at) => [getId(one) ?? at, one]))
  const pairs = after.map((one: unknown, at): Pair => {
    const id = getId(one) ?? at
    const old = rest.get(id)
    rest.delete(id)
    return [`${at}`, old, one]
  })
  // An item that only the first has keeps its place there.
  for (const old of rest.values()) {
    const at = before.indexOf(old)
    const place = at === 0 ? 0 : pairs.findIndex((pair) => pair[1] === before[at - 1]) + 1
    pairs.splice(place, 0, [`${at}`, old, undefined])
  }
  return pairs
}
