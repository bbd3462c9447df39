import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { json, text } from 'node:stream/consumers'

import { validate } from 'dockerfile-utils'
import { expect, inject, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import * as z from 'zod'

import { listening, stopGroup } from './command.ts'
import { copyExample, findCommand, runCommand, start } from './recipe.ts'

/** Reads the instructions of a Dockerfile, such as `['RUN', 'npm install …']`. Order: as written. */
function readInstructions(content: string): [string, string][] {
  const lines = content
    .replace(/^#.*\n/gm, '')
    .replaceAll('\\\n', '')
    .split('\n')
  return lines.filter(Boolean).map((line) => {
    const [, name = '', value = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? []
    return [name, value]
  })
}

/** Builds the image as a folder: runs the steps that install something, and returns what the others say. */
async function build() {
  const folder = copyExample('docker')
  const content = readFileSync(join(folder, 'Dockerfile'), 'utf8')
  const steps = readInstructions(content)
  const find = (name: string): string => steps.find((step) => step[0] === name)?.[1] ?? ''
  const [pattern = '', target = ''] = find('COPY').split(' ')
  const tarball = inject('tarball')
  expect(tarball).toMatch(new RegExp(`/${pattern.replace('*', '.*')}$`))
  const copied = join(folder, target)
  mkdirSync(join(copied, '..'), { recursive: true })
  cpSync(tarball, copied)
  const installed = join(folder, 'image')
  const npm = { npm_config_prefix: installed, npm_config_prefer_offline: 'true' }
  await runCommand('sh', ['-c', find('RUN').replaceAll(target, copied)], { cwd: folder, env: npm })
  const environment = Object.fromEntries(
    find('ENV')
      .split(/\s+/)
      .map((pair) => pair.split('=')),
  )
  return { folder, content, steps, find, environment, path: `${installed}/bin:${process.env['PATH']}` }
}

const Command = z.array(z.string()).min(1)

/** A user without rights, if this one may become another. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

it('the Dockerfile has no mistakes, names each version, and does not run as root', () => {
  const content = readFileSync('examples/docker/Dockerfile', 'utf8')
  expect(validate(content)).toEqual([])
  const steps = readInstructions(content)
  expect(steps[0]).toEqual(['FROM', expect.stringMatching(/^node:\d+\.\d+\.\d+-bookworm-slim$/)])
  expect(steps.findIndex(([name]) => name === 'USER')).toBeLessThan(
    steps.findIndex(([name]) => name === 'CMD'),
  )
  expect(steps).toContainEqual(['USER', 'node'])
})

it('the steps of the Dockerfile give a server that needs an admin token, and a check of its health', async () => {
  const { folder, find, environment, path } = await build()
  const command = Command.parse(JSON.parse(find('CMD')))
  expect(environment).toMatchObject({ WORKSPACE_SANDBOX_HOST: '0.0.0.0' })

  const open = start(command, folder, { ...environment, PATH: path }, nobody)
  const [message, [code]] = await Promise.all([text(open.stderr), once(open, 'exit')])
  expect(code).toBe(1)
  expect(message).toMatch(/^Cannot listen on 0\.0\.0\.0: .* Protect it with --admin-token\.$/m)

  const data = join(folder, 'data')
  mkdirSync(data)
  chmodSync(data, 0o777)
  const own = {
    WORKSPACE_SANDBOX_ADMIN_TOKEN: 'secret',
    WORKSPACE_SANDBOX_PORT: '0',
    WORKSPACE_SANDBOX_DATA: data,
  }
  const env = { ...environment, ...own, PATH: path }
  const server = start([...command, '--json'], folder, env, nobody)
  const { url } = await listening(server)
  const [, check = ''] = /^.* CMD (\[.*\])$/.exec(find('HEALTHCHECK')) ?? []
  const checkHealth = async (): Promise<number | null> => {
    const variables = { ...env, WORKSPACE_SANDBOX_PORT: new URL(url).port }
    const child = start(Command.parse(JSON.parse(check)), folder, variables, nobody)
    return z.tuple([z.int().nullable(), z.unknown()]).parse(await once(child, 'exit'))[0]
  }
  expect(await checkHealth()).toBe(0)
  server.kill('SIGTERM')
  expect(await once(server, 'exit')).toEqual([0, null])
  expect(await checkHealth()).toBe(1)
})

const Compose = z.object({
  services: z.record(
    z.string(),
    z.object({
      image: z.string(),
      build: z.string().optional(),
      environment: z.record(z.string(), z.string()).optional(),
    }),
  ),
})

/** Sends a request over the socket of the proxy. */
async function sendOver(socketPath: string, method: string, path: string, body?: unknown) {
  const headers = { host: 'localhost:4500', authorization: 'Bearer secret' }
  const sent = request({ socketPath, method, path, headers })
  sent.end(body === undefined ? undefined : JSON.stringify(body))
  const [response] = z.tuple([z.any()]).parse(await once(sent, 'response'))
  const answer: Record<string, unknown> = Object(await json(response))
  return { status: Number(response.statusCode), answer }
}

/** Lists the ids of the sessions of a server. */
async function listSessions(url: string): Promise<string[]> {
  const response = await fetch(`${url}/_sandbox/sessions`, { headers: { authorization: 'Bearer secret' } })
  const sessions = z.object({ items: z.array(z.object({ id: z.string() })) })
  return sessions.parse(await response.json()).items.map(({ id }) => id)
}

it('nginx sends each session to one of the sandboxes of compose.yml', async (context) => {
  findCommand(context, ['nginx'], ['-v'])
  const folder = copyExample('compose')
  const compose = parse(readFileSync(join(folder, 'compose.yml'), 'utf8'), { merge: true })
  const { proxy, ...services } = Compose.parse(compose).services
  expect(proxy?.image).toMatch(/^nginx:\d+\.\d+\.\d+$/)
  expect(Object.values(services).filter(({ build: from }) => from === '../docker')).toHaveLength(1)

  const command = [join(folder, 'node_modules/.bin/workspace-sandbox'), 'start', '--port', '0', '--memory']
  const servers = await Promise.all(
    Object.entries(services).map(async ([name, { environment = {} }]) => {
      const filled = Object.entries(environment).map(([key, value]) => [
        key,
        value.replace(/^\$\{SANDBOX_ADMIN_TOKEN:\?.*\}$/, 'secret'),
      ])
      const child = start([...command, '--json'], folder, Object.fromEntries(filled))
      return { name, child, url: (await listening(child)).url }
    }),
  )

  const socket = join(folder, 'nginx.socket')
  const own = readFileSync(join(folder, 'nginx.conf'), 'utf8')
  const local = own
    .replace('listen 4500;', `listen unix:${socket};`)
    .replace(/server (sandbox-\d):4500/g, (_, host: string) => {
      const { url = '' } = servers.find(({ name }) => name === host) ?? {}
      return `server ${new URL(url).host}`
    })
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/temp-${name};`,
  )
  writeFileSync(
    join(folder, 'main.conf'),
    `daemon off; master_process off; pid ${folder}/pid; error_log stderr crit;
     events {} http { access_log off; ${temporary.join(' ')} ${local} }`,
  )
  const nginx = spawn('nginx', ['-p', folder, '-c', 'main.conf'], {
    cwd: folder,
    stdio: 'inherit',
    detached: true,
  })
  onTestFinished(() => stopGroup(nginx))
  // Its socket is there before it listens.
  await expect.poll(() => readdirSync(folder)).toContain('pid')

  const ids = Array.from({ length: 40 }, (_, index) => `job-${index}`)
  const opened = ids.map((id) => sendOver(socket, 'PUT', `/_sandbox/sessions/${id}`))
  expect((await Promise.all(opened)).map(({ status }) => status)).toEqual(ids.map(() => 201))
  const held = await Promise.all(servers.map(({ url }) => listSessions(url)))
  expect(held.flat().toSorted()).toEqual(ids.toSorted())
  for (const some of held) expect(some).not.toEqual([])
  const found = ids.map((id) => sendOver(socket, 'GET', `/_sandbox/sessions/${id}`))
  expect((await Promise.all(found)).map(({ answer }) => answer['id'])).toEqual(ids)

  servers[0]?.child.kill('SIGTERM')
  await once(servers[0]?.child ?? nginx, 'exit')
  const lost = await sendOver(socket, 'GET', `/_sandbox/sessions/${held[0]?.[0]}`)
  expect(lost).toMatchObject({
    status: 502,
    answer: { detail: expect.stringMatching(/Open the session again/) },
  })
  expect((await sendOver(socket, 'GET', `/_sandbox/sessions/${held[1]?.[0]}`)).status).toBe(200)
})
