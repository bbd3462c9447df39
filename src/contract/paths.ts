import * as z from 'zod'

import { idParameter } from './fields.ts'
import { documented } from './provenance.ts'

/** The parameters of a path: `organizationId` is a string, every other one an integer id. */
export type PathParameters<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? { [K in Name]: K extends 'organizationId' ? string : number } & PathParameters<Rest>
  : unknown

export function listPathNames(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')
}

/** Creates the schema of a path's parameters. Source: Endpoints, first paragraph. */
export function createPathSchema(path: string): z.ZodObject {
  const organizationId = documented(z.string().min(1), 'Endpoints, organizationId')
  return z.object(
    Object.fromEntries(
      listPathNames(path).map((name) => [
        name,
        (name === 'organizationId' ? organizationId : idParameter).describe(
          `The id of the ${name.slice(0, -2)}`,
        ),
      ]),
    ),
  )
}
