import type { Component, Plugin, Props, System } from 'swagger-ui-dist/swagger-ui-es-bundle.js'

export interface Assumption {
  readonly id: string
  readonly subject: string
  readonly decision: string
  /** The name to set it by; null if it cannot be set. */
  readonly name: string | null
  readonly value: unknown
}

/** The marks of a row. Order: as they are shown. */
const keys = ['x-provenance', 'x-source', 'x-assumption'] as const

/** Marks every operation, parameter, response and field as documented or assumed; hover or focus shows the assumption. */
export function createMarks(assumptions: ReadonlyMap<string, Assumption>): (system: System) => Plugin {
  return ({ React: { createElement, Fragment }, specSelectors }) => {
    const mark: Component = ({ xKey, xVal }) => {
      if (typeof xVal !== 'string') return null
      if (xKey === 'x-provenance') return createElement('span', { className: `mark ${xVal}` }, xVal)
      if (xKey === 'x-source') return createElement('span', { className: 'source' }, xVal)
      if (xKey !== 'x-assumption') return null
      const why = createElement('span', { className: 'why' }, explain(xVal, assumptions.get(xVal)))
      return createElement('span', { className: 'mark assumption', tabIndex: 0, role: 'note' }, xVal, why)
    }
    const withMarks = (original: Component, read: (props: Props, key: string) => unknown): Component => {
      return (props) => {
        const line = keys.map((xKey) => createElement(mark, { xKey, xVal: read(props, xKey) }))
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
          withMarks(original, ({ specPath }, key) =>
            specSelectors.specJson().getIn([...(specPath ?? []), key]),
          ),
        JSONSchema202012KeywordType: (original) => withMarks(original, ({ schema }, key) => schema?.[key]),
      },
    }
  }
}

function explain(id: string, assumption: Assumption | undefined): string {
  if (!assumption) return `Assumption ${id}`
  const { subject, decision, name, value } = assumption
  const set = name === null ? '' : ` Set by ${name}, here ${JSON.stringify(value)}.`
  return `${id} ${subject}: ${decision}.${set}`
}
