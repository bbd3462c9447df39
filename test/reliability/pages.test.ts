import { join } from 'node:path'

import { expect, it } from 'vitest'

import { serve as serveCommand } from '../entry-points/command.ts'
import { folderWith } from '../folders.ts'
import { asker, reads, serve } from '../sandbox/control-support.ts'
import { words } from '../support.ts'
import { expectWellFormed } from './raw-http.ts'

const mara = { authorization: 'Bearer sbx_harbor_1' }
const secret = 'content of a private file'

/** Lists ways to spell the path of a file. */
const spellPaths = (folder: string): string[] => {
  const path = join(folder, 'secret.json')
  const up = ['../', '..%2f', '%2e%2e/', '..\\', '....//', '%252e%252e%252f'].map((step) => step.repeat(12))
  const roots = [...up, '', '/', '//', 'file://', 'file:', './', '%00']
  const paths = roots.map((root) => `${root}${path.slice(root === '' ? 0 : 1)}`)
  return [...paths, 'secret.json', './secret', '../data']
}

it('serves no local file, whatever the path or the name of a fixture', async () => {
  const folder = folderWith({ 'secret.json': { customers: [{ id: 1, name: secret }] } })
  const { url } = await serveCommand(['--data', join(folder, 'data')], { cwd: folder })
  const ask = asker(url)
  for (const path of spellPaths(folder)) {
    for (const before of words('/ /v1/ /_sandbox/ /_sandbox/data/ /_sandbox/docs/ /_sandbox/assets/')) {
      const target = `${before}${path.replaceAll('\\', '%5c')}`
      expect((await ask(target, { headers: mara })).body, `for ${target}`).not.toContain(secret)
    }
    for (const fixture of [path, { extends: path }, { customers: path }]) {
      const reseed = await ask('/_sandbox/reseed', { method: 'POST', body: JSON.stringify({ fixture }) })
      expect(reseed.status, `${JSON.stringify(fixture)}: ${reseed.body}`).toBe(400)
      expect(reseed.body).not.toContain(secret)
    }
  }
  expect((await ask('/v1/organizations/harbor/customers/1', { headers: mara })).body).not.toContain(secret)
})

const markup = `<script>alert(1)</script>"'><img src=x onerror=alert(1)>`
const inPath = encodeURIComponent(markup)

it('returns markup from users only as JSON', async () => {
  const { ask, sandbox } = await serve()
  const session = sandbox.session({ id: 'x', name: markup })
  for (const { data, faults } of [sandbox, session]) {
    await data.customers.put({ id: 1, name: markup })
    await data.notes.put({ id: 1, customerId: 1, content: markup })
    await data.members.put({ id: 2, firstName: markup })
    faults.add({ path: '/members/me', status: 200, body: { markup }, times: 1 })
  }
  const targets = [
    ...reads,
    ...words(`
      /${inPath} /v1/${inPath}?${inPath}=${inPath} /_sandbox/${inPath} /_sandbox?${inPath}
      /_sandbox/sessions/${inPath}/v1/members/me /v1/organizations/${inPath}/members
      /v1/organizations/harbor/customers/1/notes /v1/members/me
    `),
  ]
  for (const path of targets) {
    for (const named of [null, 'x', markup]) {
      const answer = await ask(path, { headers: { ...mara, 'sandbox-session': named } })
      expectWellFormed(answer, path)
      const isPage = !/^application\/(?:problem\+)?json$/.test(answer.headers['content-type'] ?? '')
      expect(isPage ? answer.body : '', `for ${path}`).not.toMatch(/<script>alert|<img src=x/)
    }
  }
})

it('sends pages with a policy that allows only their own scripts, and no framing', async () => {
  const { ask } = await serve()
  const pages = new Set(['/', '/_sandbox', '/_sandbox/docs/'])
  let checked = 0
  for (const page of pages) {
    const { status, headers, body } = await ask(page)
    if (!headers['content-type']?.startsWith('text/html')) continue
    checked += 1
    expect(status).toBe(200)
    const policy = String(headers['content-security-policy'])
    const directives = new Map(policy.split(';').map((part) => [part.trim().split(' ')[0], part]))
    expect(directives.get('frame-ancestors'), `for ${page}`).toMatch(/'none'|'self'/)
    const scripts = directives.get('script-src') ?? directives.get('default-src')
    expect(scripts, `for ${page}`).toMatch(/'(?:none|self)'/)
    expect(scripts, `for ${page}`).not.toMatch(/unsafe|\*|data:|https?:/)
    for (const [, link = ''] of body.matchAll(/href="(\/[^"#?]*)"/g)) pages.add(link)
  }
  expect(checked).toBeGreaterThan(0)
})
