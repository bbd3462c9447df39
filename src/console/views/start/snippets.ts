import { curlText } from '../../curl.ts'

/** A call to show in each language. */
export interface Example {
  readonly name: string
  /** As a person would ask. */
  readonly label: string
  /** From the base URL on. */
  readonly path: string
  /** The same as an expression of the package's own client. */
  readonly expression: string
}

/** The languages that a snippet is shown in. Order: as shown. */
export const languages = [
  { name: 'curl', label: 'curl' },
  { name: 'javascript', label: 'JavaScript' },
  { name: 'python', label: 'Python' },
  { name: 'client', label: 'Typed client' },
] as const
export type Language = (typeof languages)[number]['name']

/** What a member asks first. Order: as shown. */
export function examplesFor(organizationId: string): readonly [Example, ...Example[]] {
  const path = `/organizations/${encodeURIComponent(organizationId)}/customers?limit=5`
  const input = `{ organizationId: ${literal(organizationId)}, limit: 5 }`
  return [
    { name: 'me', label: 'Who am I?', path: '/members/me', expression: 'getCurrentMember()' },
    { name: 'customers', label: 'The first customers', path, expression: `listCustomers(${input})` },
  ]
}

/** Where and as whom a snippet asks. */
export interface Caller {
  readonly baseUrl: string
  readonly token: string
}

/** A call as a program that runs as it stands. */
export function snippetOf(language: Language, example: Example, caller: Caller): string {
  return writers[language](example, caller)
}

type Writer = (example: Example, caller: Caller) => string

const writers: Readonly<Record<Language, Writer>> = {
  curl: ({ path }, { baseUrl, token }) =>
    curlText({ method: 'GET', url: `${baseUrl}${path}`, headers: { Authorization: `Bearer ${token}` } }),
  javascript: (
    { path },
    { baseUrl, token },
  ) => `const response = await fetch(${literal(`${baseUrl}${path}`)}, {
  headers: { Authorization: ${literal(`Bearer ${token}`)} },
})
console.log(response.status, await response.json())`,
  python: ({ path }, { baseUrl, token }) => `import json
from urllib.request import Request, urlopen

request = Request(
    ${literal(`${baseUrl}${path}`)},
    headers={"Authorization": ${literal(`Bearer ${token}`)}},
)
with urlopen(request) as response:
    print(response.status, json.load(response))`,
  client: ({ expression }, { baseUrl, token }) => `import { createClient } from "workspace-sandbox/client"

const client = createClient({
  baseUrl: ${literal(baseUrl)},
  token: ${literal(token)},
})
console.log(await client.${expression})`,
}

/** A text as JavaScript and Python write it. */
function literal(text: string): string {
  return JSON.stringify(text)
}
