import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify, stripVTControlCharacters } from 'node:util'

import { expect, inject, it, onTestFinished } from 'vitest'

import { temporaryFolder } from '../folders.ts'
import { tokens } from '../support.ts'
import { launch } from './chromium-launch.ts'
import { opened, useChromium } from './chromium.ts'

const browser = useChromium()
const run = promisify(execFile)

/** A copy of an example, with the packed package installed. */
async function installed(name: string): Promise<string> {
  const folder = join(temporaryFolder(), name)
  cpSync(resolve('examples', name), folder, { recursive: true })
  const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', '--silent']
  await run('npm', ['install', ...quiet, inject('tarball')], { cwd: folder })
  return folder
}

/** Runs a script of an example; gives what it prints. */
async function script(folder: string, name: string): Promise<string> {
  const { VITEST: _, ...inherited } = process.env
  const env = { ...inherited, CI: 'true', CHROMIUM: launch.executablePath }
  const asked = run('npm', ['run', '--silent', name], { cwd: folder, env })
  const { stdout } = await asked.catch((error: { stdout: string; stderr: string }) => {
    throw new Error(`${error.stdout}\n${error.stderr}`)
  })
  return stripVTControlCharacters(stdout)
}

it('vite-app lists customers from its own dev server', async () => {
  const folder = await installed('vite-app')
  const vite = join(folder, 'node_modules', 'vite', 'bin', 'vite.js')
  const server = spawn(process.execPath, [vite, '--port', '0'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(async () => {
    server.kill()
    await once(server, 'exit')
  })
  let printed = ''
  server.stdout.setEncoding('utf8').on('data', (part: string) => (printed += part))
  const address = () => /http:\/\/localhost:\d+\//.exec(stripVTControlCharacters(printed))?.[0]
  while (address() === undefined) await once(server.stdout, 'data')
  const { page, errors } = await opened(browser(), address() ?? '', '#customers li:nth-child(3)')
  expect(await page.locator('#customers li').first().textContent()).toMatch(/^\S.*, \S/)
  expect(errors).toEqual([])
})

it('vitest-suite passes', async () => {
  expect(await script(await installed('vitest-suite'), 'test')).toMatch(/Tests\s+5 passed \(5\)/)
})

it('playwright-suite passes', async () => {
  expect(await script(await installed('playwright-suite'), 'test')).toMatch(/3 passed/)
})

it('next-handler is typed, and answers', async () => {
  const folder = await installed('next-handler')
  await script(folder, 'typecheck')
  const route: { GET(request: Request): Promise<Response> } = await import(
    join(folder, 'app/v1/[[...route]]/route.ts')
  )
  const headers = { authorization: `Bearer ${tokens.mara}` }
  const answer = await route.GET(new Request('http://localhost:3000/v1/members/me', { headers }))
  expect(await answer.json()).toMatchObject({ id: 1 })
})
