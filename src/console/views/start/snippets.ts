import { formatCurl } from '../../curl.ts'

interface Example {
  readonly name: string
  readonly label: string
  readonly path: string
  readonly expression: string
}

export const languages = [
  ['curl', 'curl'],
  ['javascript', 'JavaScript'],
  ['python', 'Python'],
  ['client', 'Typed client'],
] as const
type Language = (typeof languages)[number][0]

export function listExamples(organizationId: string): readonly [Example, ...Example[]] {
  const path = `/organizations/${encodeURIComponent(organizationId)}/customers?limit=5`
  const input = `{ organizationId: ${literal(organizationId)}, limit: 5 }`
  return [
    { name: 'me', label: 'Who am I?', path: '/members/me', expression: 'getCurrentMember()' },
    { name: 'customers', label: 'List customers', path, expression: `listCustomers(${input})` },
  ]
}

type Writer = (example: Example, caller: { readonly baseUrl: string; readonly token: string }) => string

export const formatSnippet = (language: Language, ...args: Parameters<Writer>): string =>
  writers[language](...args)

const writers: Readonly<Record<Language, Writer>> = {
  curl: ({ path }, { baseUrl, token }) =>
    formatCurl({ method: 'GET', url: `${baseUrl}${path}`, headers: { Authorization: `Bearer ${token}` } }),
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

const literal = (text: string): string => JSON.stringify(text)
