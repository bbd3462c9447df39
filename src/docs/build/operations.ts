import type { OpenApiDocument } from '../../console/components/schema.ts'
import type { Section } from './markdown.ts'

/** An API reference: the name of its file, and what it shows. */
export interface Reference {
  readonly name: 'index' | 'control'
  readonly title: string
  readonly document: OpenApiDocument
}

export const toReferencePath = (name: string): string => (name === 'index' ? '/docs' : `/docs/${name}`)

/** Lists what the search can find of each operation: its names, descriptions, parameters, fields and their values. */
export function listOperationSections({ name, title, document }: Reference): Section[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const words = new Set<string>([`${method.toUpperCase()} ${path}`])
      collectWords(operation, new Map(Object.entries(document.components.schemas)), words)
      const { operationId, parameters } = operation
      return {
        url: `${toReferencePath(name)}#${operationId}`,
        title,
        heading: operationId,
        text: [...words].join(' · '),
        names: parameters.flatMap((parameter) => parameter.name ?? []).join(' '),
      }
    }),
  )
}

const texts = new Set(['summary', 'description', 'name'])

/** Collects names and texts of a part of a document and the schemas that it refers to, which it takes out of `schemas`. */
function collectWords(part: unknown, schemas: Map<string, unknown>, words: Set<string>): void {
  if (typeof part !== 'object' || part === null) return
  for (const [key, value] of Object.entries(part)) {
    if (key === 'examples' || key === 'example') continue
    if (texts.has(key) && typeof value === 'string') words.add(value)
    else if (key === 'enum' && Array.isArray(value)) for (const one of value) words.add(String(one))
    else if (key === '$ref') collectSchema(String(value).split('/').at(-1) ?? '', schemas, words)
    else {
      if (key === 'properties') for (const property of Object.keys(Object(value))) words.add(property)
      collectWords(value, schemas, words)
    }
  }
}

function collectSchema(name: string, schemas: Map<string, unknown>, words: Set<string>): void {
  const schema = schemas.get(name)
  schemas.delete(name)
  if (name !== 'Problem') collectWords(schema, schemas, words)
}
