import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'

import { expect, it, onTestFinished } from 'vitest'
import * as z from 'zod'

import { startSandbox, type StartOptions } from '../../src/node.ts'
import { temporaryFolder } from '../folders.ts'
import { connected, exchange, head, postHead } from '../reliability/raw-http.ts'
import { serve as start } from '../sandbox/control-support.ts'
import { expectProblem, note } from '../support.ts'
import { occupyPort, postNote } from './command.ts'

it('listens on both loopback addresses at one port', async ({ skip }) => {
  const probe = createServer().listen(0, '::1')
  await once(probe, 'listening').catch(() => skip('this machine has no IPv6'))
  probe.close()
  const { url } = await start()
  expect((await fetch(`http://[::1]:${new URL(url).port}/health`)).status).toBe(200)
})

it('answers the control plane at its own URL on an IPv4 address that is written as IPv6', async () => {
  const { url } = await start({ host: '::ffff:127.0.0.1' })
  expect((await fetch(`${url}/_sandbox/clock`)).status).toBe(200)
})

it('names the loopback address whose port is in use', async ({ skip }) => {
  const other = createServer().listen({ port: 0, host: '::1', ipv6Only: true })
  await once(other, 'listening').catch(() => skip('this machine has no IPv6'))
  onTestFinished(() => void other.close())
  const { port } = z.object({ port: z.int() }).parse(other.address())
  await expect(startSandbox({ size: 3, port })).rejects.toThrow(
    `Cannot listen on [::1]:${port}: the port is in use.`,
  )
})

it('stores nothing without a folder', async () => {
  const folder = temporaryFolder()
  const before = process.cwd()
  process.chdir(folder)
  onTestFinished(() => process.chdir(before))
  const running = await start()
  await postNote(running.baseUrl, 'Lost')
  await running.close()
  expect(readdirSync(folder)).toEqual([])
})

it('releases its folder if it cannot listen', async () => {
  const data = temporaryFolder()
  await expect(start({ data, port: await occupyPort() })).rejects.toMatchObject({ code: 'port_in_use' })
  await start({ data })
})

it.each(['203.0.113.1', '[fe80::1]'])('rejects %s, which the machine does not have', async (host) => {
  await expect(start({ host, adminToken: 'secret' })).rejects.toMatchObject({
    code: 'address_unavailable',
    message: `Cannot listen on ${host}:0: this machine has no such address. Choose another with the option host.`,
  })
})

it.each(['0.0.0.0', '::', '192.168.1.5', 'example.com'])(
  'refuses to listen on %s, which others reach, without an admin token',
  async (host) => {
    const fact = 'other machines could reach the control plane'
    await expect(start({ host })).rejects.toMatchObject({
      code: 'unguarded_host',
      message: `Cannot listen on ${host}: ${fact}. Protect it with the option adminToken.`,
    })
  },
)

it('listens on every address with an admin token, which the control plane requires', async () => {
  const { url } = await start({ host: '0.0.0.0', adminToken: 'secret' })
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  await expectProblem(await fetch(`${url}/_sandbox/credentials`), 'unauthorized')
  const headers = { authorization: 'Bearer secret' }
  expect((await fetch(`${url}/_sandbox/credentials`, { headers })).status).toBe(200)
})

it.each([
  [
    'is not there',
    undefined,
    'there is no such file. Check the path, or use the name of a built-in fixture.',
  ],
  ['is not JSON', '{"customers": oops', 'it is not valid JSON (line 1, column 15). Correct the file.'],
  ['is empty', '', 'it is empty. Correct the file.'],
  [
    'is UTF-16',
    Buffer.from('\uFEFF{"customers":[]}', 'utf16le'),
    'it is UTF-16, not UTF-8. Correct the file.',
  ],
  [
    'is UTF-16 in another order',
    Buffer.from('{"customers":[]}', 'utf16le').swap16(),
    'it is UTF-16, not UTF-8.',
  ],
  ['is no object', '[]', 'it is not a JSON object. Write { "customers": [...] } and so on.'],
  ['has a record without an id', '{"customers":[{}]}', 'customers[0].id is required. Add it.'],
])('rejects a fixture file that %s', async (_, content, reason) => {
  const fixture = join(temporaryFolder(), 'own.json')
  if (content !== undefined) writeFileSync(fixture, content)
  const refusal = await start({ fixture }).catch((error: unknown) => error)
  expect(refusal).toMatchObject({ name: 'StartError', code: 'unusable_fixture' })
  expect(String(refusal)).toContain(`Cannot use fixture ${fixture}: `)
  expect(String(refusal)).toContain(reason)
})

it('rejects invalid options, and names the first', async () => {
  const wrong: StartOptions = JSON.parse('{"prot":4501}')
  const unknown = 'Cannot start with option prot: it is not known. Did you mean port?'
  await expect(start(wrong)).rejects.toMatchObject({ code: 'invalid_option', message: unknown })
  const reason = 'it must be a whole number from 0 to 65535.'
  await expect(start({ port: 65_536 })).rejects.toThrow(`Cannot start with option port: ${reason}`)
  const typo: StartOptions = JSON.parse('{"assumptions":{"errorFormt":"error"}}')
  const hint = 'Cannot start with option assumptions.errorFormt: it is not known. Did you mean errorFormat?'
  await expect(start(typo)).rejects.toMatchObject({ code: 'invalid_option', message: hint })
  const size = 'it must be small, medium, large or a number from 3 to 100000.'
  await expect(start({ size: 0 })).rejects.toThrow(`Cannot start with option size: ${size}`)
  const token = 'it must be ASCII characters that a header can hold'
  await expect(start({ adminToken: 'Schlüssel' })).rejects.toThrow(`with option adminToken: ${token}`)
  const nul = 'it must not contain a NUL character.'
  await expect(start({ data: 'a\0b' })).rejects.toThrow(`Cannot start with option data: ${nul}`)
  await expect(start({ memory: true, data: 'x' })).rejects.toThrow('Cannot use both memory and data')
})

it('responds to a request before it rejects the bytes after it', async () => {
  const { url, sandbox } = await start()
  sandbox.faults.add({ operationId: 'getCurrentMember', delayMs: 50 })
  const responses = await exchange(url, `${head('GET', '/v1/members/me')}hello\r\n\r\n`)
  expect(responses.map(({ status }) => status)).toEqual([200, 400])
})

/** For tests of real time, since a busy machine may take longer once. */
const timed = { retry: 3 }

it('finishes requests in flight, then closes at once', timed, async () => {
  const { url, close } = await start()
  const client = await connected(url)
  const body = JSON.stringify(note)
  client.send(postHead(body))
  expect(await client.next()).toMatchObject({ status: 100 })
  const begun = performance.now()
  const closed = close()
  client.send(body)
  const { status, body: answered } = await client.next()
  expect([status, JSON.parse(answered)]).toMatchObject([200, { content: note.content }])
  await closed
  // The client's idle connection does not delay it.
  expect(performance.now() - begun).toBeLessThan(2_000)
})

it('closes at the end of its using block', async () => {
  let address = ''
  {
    await using running = await startSandbox({ size: 'small', port: 0 })
    address = running.url
  }
  await expect(fetch(address)).rejects.toThrow('fetch failed')
})
