import formats from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'

/** What is wrong with an answer by an OpenAPI document: a text where it describes no such answer; empty when nothing is. */
export type AnswerFaults = (
  place: { readonly path: string; readonly method: string },
  answer: { readonly status: number; readonly mediaType: string; readonly body: unknown },
) => unknown

/** Holds answers against the schemas that an OpenAPI document gives for them. */
export function answerFaults(document: object): AnswerFaults {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  formats.default(ajv)
  ajv.addSchema({ ...document, $id: 'openapi' })
  return ({ path, method }, { status, mediaType, body }) => {
    const place = ['paths', path, method, 'responses', `${status}`, 'content', mediaType, 'schema']
    const pointer = place.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
    const validate = ajv.getSchema(`openapi#/${pointer.join('/')}`)
    if (!validate) return `the document describes no ${status} ${mediaType} of ${method} ${path}`
    return validate(body) ? [] : validate.errors
  }
}
