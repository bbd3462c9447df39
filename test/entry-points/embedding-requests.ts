import { tokens } from '../support.ts'

/** A request to the service in a form that can be passed to a page. */
export interface Asked {
  readonly path: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** A response; the bytes of its body are its characters. */
export interface Answered {
  readonly status: number
  readonly type: string | null
  readonly date: string | null
  readonly body: string
}

const mara = { authorization: `Bearer ${tokens.mara}` }
const harbor = '/organizations/harbor'
const first = `${harbor}/customers/1`

const asMara = (path: string): Asked => ({ path, headers: mara })
const note = (content: string): Asked => ({
  path: `${first}/notes`,
  method: 'POST',
  headers: { ...mara, 'content-type': 'application/json' },
  body: JSON.stringify({ categoryId: 1, content }),
})

/** Lists, filters, single records, errors and writes; later requests see earlier writes. */
export const asked: readonly Asked[] = [
  ...[
    '/members/me',
    `${harbor}/members`,
    `${harbor}/automations`,
    `${harbor}/custom-fields`,
    `${harbor}/briefs?limit=2`,
    `${harbor}/products`,
    `${harbor}/signals?scope=team&status=open&limit=20`,
    `${harbor}/signals/1`,
    `${harbor}/customers?limit=250`,
    `${harbor}/customers?segment=Enterprise&segment[]=Mid-Market&country=Germany&offset=1`,
    `${harbor}/customers?updatedSince=2026-01-01T00:00Z&scope=mine`,
    `${harbor}/customers?city=M%C3%BCnchen&city=S%C3%A3o+Paulo&verbose=%F0%9F%99%82`,
    first,
    `${first}/meetings`,
    `${first}/meetings/1`,
    `${harbor}/customers?limit=251&status=lost&offset=`,
    `${harbor}/customers/999999`,
    '/organizations/quill/members',
    '/organization%2Fs/../x',
    `${harbor}/customers/%E0%A4%A`,
  ].map(asMara),
  { path: '/members/me' },
  { path: '/members/me', headers: { authorization: 'Bearer sbx_nobody' } },
  { ...asMara(`${harbor}/customers`), method: 'HEAD' },
  { ...asMara(first), method: 'DELETE' },
  note('Grüße, 100 % & 🙂 "quoted"'),
  note(''),
  { ...note('x'), headers: mara },
  { ...note('x'), body: '{' },
  note('\u{1F642}'.repeat(10_000)),
  asMara(`${first}/notes`),
]

/** Sends every request below a base URL, one after the other. Runs in pages, too, so it uses nothing in scope. */
export async function everything(
  list: readonly Asked[],
  base: string,
  send: (request: Request) => Promise<Response>,
): Promise<Answered[]> {
  const answers: Answered[] = []
  for (const { path, ...init } of list) {
    const answer = await send(new Request(base + path, init))
    const bytes = new Uint8Array(await answer.arrayBuffer())
    const body = Array.from(bytes, (byte) => String.fromCodePoint(byte)).join('')
    const [type, date] = ['content-type', 'date'].map((name) => answer.headers.get(name))
    answers.push({ status: answer.status, type: type ?? null, date: date ?? null, body })
  }
  return answers
}
