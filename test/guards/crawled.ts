import type { Endpoint } from '../../src/service/endpoint.ts'
import { endpoints } from '../../src/service/index.ts'
import { as, crawl, openSandbox } from '../support.ts'
import { getExample, readDocument } from './openapi-document.ts'

/** A small tenant, and everything that its default caller can read. */
export const sandbox = await openSandbox()
export const mara = as(sandbox, 'mara')
export const visits = await crawl(mara)

export const document = await readDocument(sandbox)

/** Lists the paths at which the default caller reached an operation; for a POST, those of the list that it adds to. */
export function listPaths({ path }: Pick<Endpoint, 'path'>): string[] {
  const reader = endpoints.find((endpoint) => endpoint.path === path && endpoint.method === 'GET')
  return visits
    .filter(({ operationId }) => operationId === reader?.id)
    .map((visit) => visit.path.replace(/\?.*/, ''))
}

/** Returns the example of the body that a POST takes. */
export const getBody = ({ path }: Pick<Endpoint, 'path'>): object =>
  Object(getExample(document.paths[path]?.['post']?.requestBody?.content['application/json'].examples))
