import type { Component, Plugin, Props, System } from 'swagger-ui-dist/swagger-ui-es-bundle.js'

/** One gap of the service's document, and how the session fills it. */
export interface Assumption {
  readonly id: string
  readonly subject: string
  readonly decision: string
  /** Under which name it can be decided otherwise; null where it cannot. */
  readonly name: string | null
  readonly value: unknown
}

/** What the OpenAPI document says of a row. Order: as it is read. */
const keys = ['x-provenance', 'x-source', 'x-assumption'] as const

/**
 * Says on every operation, parameter, answer and field whether it is documented or assumed, and, under the pointer or
 * the focus, what is assumed.
 */
export function marks(assumptions: ReadonlyMap<string, Assumption>): (system: System) => Plugin {
  return ({ React: { createElement, Fragment }, specSelectors }) => {
    const mark: Component = ({ xKey, xVal }) => {
      if (typeof xVal !== 'string') return null
      if (xKey === 'x-provenance') return createElement('span', { className: `mark ${xVal}` }, xVal)
      if (xKey === 'x-source') return createElement('span', { className: 'source' }, xVal)
      if (xKey !== 'x-assumption') return null
      const why = createElement('span', { className: 'why' }, explained(xVal, assumptions.get(xVal)))
      return createElement('span', { className: 'mark assumption', tabIndex: 0, role: 'note' }, xVal, why)
    }
    /** A component, and behind it the marks of what it shows. */
    const marked = (original: Component, of: (props: Props, key: string) => unknown): Component => {
      return (props) => {
        const line = keys.map((xKey) => createElement(mark, { xKey, xVal: of(props, xKey) }))
        const behind = createElement('span', { className: 'marks' }, ...line)
        return createElement(Fragment, null, createElement(original, props), behind)
      }
    }
    return {
      components: {
        ParameterExt: mark,
        ResponseExtension: mark,
        OperationExt: () => null,
        JSONSchema202012ExtensionKeywords: () => null,
      },
      wrapComponents: {
        OperationSummary: (original) =>
          marked(original, ({ specPath }, key) => specSelectors.specJson().getIn([...(specPath ?? []), key])),
        JSONSchema202012KeywordType: (original) => marked(original, ({ schema }, key) => schema?.[key]),
      },
    }
  }
}

/** What is assumed, and how it is decided otherwise. */
function explained(id: string, assumption: Assumption | undefined): string {
  if (!assumption) return `Assumption ${id}`
  const { subject, decision, name, value } = assumption
  const set = name === null ? '' : ` Set by ${name}, here ${JSON.stringify(value)}.`
  return `${id} ${subject}: ${decision}.${set}`
}
