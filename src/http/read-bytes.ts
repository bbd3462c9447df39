import { SandboxError } from '../core/errors.ts'
import { ResponseBody } from '../core/response.ts'

/** Reads the body of a request up to a number of bytes. Errors: payload_too_large. */
export async function readBytes(request: Request, most: number): Promise<Uint8Array> {
  const announced = request.headers.get('content-length')
  if (announced !== null && !request.headers.has('transfer-encoding')) {
    if (Number(announced) > most) throw tooLarge(most)
    return new Uint8Array(await request.arrayBuffer())
  }
  return readStream(request.body?.getReader(), most)
}

async function readStream(
  reader: ReadableStreamDefaultReader<Uint8Array> | undefined,
  most: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- one chunk after the other is the point
    const { done = true, value } = (await reader?.read()) ?? {}
    if (done || !value) return new ResponseBody(chunks).bytes
    length += value.length
    if (length > most) {
      void reader?.cancel().catch(() => undefined)
      throw tooLarge(most)
    }
    chunks.push(new Uint8Array(value))
  }
}

/** Rejects a compressed body. Errors: unsupported_media_type for another `Content-Encoding` than `identity`. */
export function refuseCompressed(encoding: string | undefined): void {
  if (encoding === undefined || /^(?:identity)?$/i.test(encoding.trim())) return
  const detail = `${unsupported('Encoding', encoding)} Send the body as it is, without compression.`
  throw new SandboxError('unsupported_media_type', detail, { headers: { 'accept-encoding': 'identity' } })
}

/** How much of a header's value an error shows. */
const MAX_SHOWN = 60

/** Describes which `Content-Type` or `Content-Encoding` is not supported. */
export function unsupported(header: 'Type' | 'Encoding', value: string): string {
  return `Unsupported Content-${header} \`${value.slice(0, MAX_SHOWN)}\`.`
}

function tooLarge(most: number): SandboxError {
  return new SandboxError('payload_too_large', `The body is larger than ${most} bytes.`)
}
