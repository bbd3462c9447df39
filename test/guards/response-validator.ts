import formats from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'

/** Validates a response by an OpenAPI document. Returns the errors, or a message if no such response is described. */
export type ResponseValidator = (
  place: { readonly path: string; readonly method: string },
  answer: { readonly status: number; readonly mediaType: string; readonly body: unknown },
) => unknown

interface Described {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, { readonly responses: Responses }>>>>
}

type Responses = Readonly<Record<string, { readonly $ref?: string }>>

/** Creates a validator of responses from an OpenAPI document. */
export function createResponseValidator(document: object): ResponseValidator {
  const { paths }: Described = document
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  formats.default(ajv)
  ajv.addSchema({ ...document, $id: 'openapi' })
  return ({ path, method }, { status, mediaType, body }) => {
    const responses = paths?.[path]?.[method]?.responses ?? {}
    const key = `${status}` in responses ? `${status}` : `${Math.floor(status / 100)}XX`
    const reference = responses[key]?.$ref
    const place = reference?.slice('#/'.length).split('/') ?? ['paths', path, method, 'responses', key]
    const parts = [...place, 'content', mediaType, 'schema']
    const pointer = parts.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
    const validate = ajv.getSchema(`openapi#/${pointer.join('/')}`)
    if (!validate) return `the document describes no ${status} ${mediaType} of ${method} ${path}`
    return validate(body) ? [] : validate.errors
  }
}
