import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, it } from 'vitest'

import { temporaryFolder } from '../folders.ts'
import { run, runAlone } from './command.ts'

const report = {
  assumptions: [],
  requests: 1,
  documented: { count: 1, operations: ['getCurrentMember'] },
  faulted: 0,
  forgotten: 0,
}
const file = { kind: 'assumptions', format: 1, version: '0.1.0', unit: 'request', report }

function write(cwd: string, name: string, content: unknown): string {
  writeFileSync(join(cwd, name), typeof content === 'string' ? content : JSON.stringify(content))
  return name
}

/** Runs a command that calls an operation, and writes its report. */
async function writeShard(cwd: string, name: string, path: string): Promise<string> {
  const script = `fetch(process.env.WORKSPACE_SANDBOX_URL + '${path}', {
    headers: { authorization: 'Bearer ' + process.env.WORKSPACE_SANDBOX_TOKEN } })`
  const flags = ['--size', 'small', '--quiet', '--assumption-report', name]
  const { code, stderr } = await runAlone(['exec', ...flags, '--', process.execPath, '-e', script], { cwd })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return name
}

it('report merge joins the reports of exec, in any order, to standard output or a file', async () => {
  const cwd = temporaryFolder()
  const harbor = '/organizations/harbor'
  const shards = await Promise.all([
    writeShard(cwd, 'a.json', `${harbor}/products`),
    writeShard(cwd, 'b.json', `${harbor}/briefs`),
    writeShard(cwd, 'c.json', '/members/me'),
  ])
  const merged = await run(['report', 'merge', ...shards], { cwd })
  expect(merged).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(merged.stdout)).toMatchObject({
    kind: 'assumptions',
    unit: 'request',
    report: {
      requests: 3,
      documented: { count: 1, operations: ['getCurrentMember'] },
      assumptions: [{ id: 'A-03', count: 2, operations: ['listBriefs', 'listProducts'] }, {}, {}, {}, {}],
    },
  })
  const output = ['--output', 'all.json']
  const other = await run(['report', 'merge', ...shards.toReversed(), ...output], { cwd })
  expect(other).toEqual({ code: 0, stdout: '', stderr: '' })
  expect(readFileSync(join(cwd, 'all.json'), 'utf8')).toBe(merged.stdout)
  expect((await run(['report', 'merge', 'all.json'], { cwd })).stdout).toBe(merged.stdout)
})

it('report merge refuses files that do not fit together, by name', async () => {
  const cwd = temporaryFolder()
  const first = write(cwd, 'a.json', file)
  const others = [
    [write(cwd, 'unit.json', { ...file, unit: 'test' }), /a\.json has unit request, but unit\.json has test/],
    [write(cwd, 'new.json', { ...file, version: '9.0.0' }), /version 0\.1\.0, but new\.json has 9\.0\.0/],
    [write(cwd, 'kind.json', { ...file, kind: 'sync' }), /report kind\.json: its kind is not known/],
    [write(cwd, 'format.json', { ...file, format: 2 }), /report format\.json: it has format 2/],
    [write(cwd, 'broken.json', '{"kind":'), /report broken\.json: it is cut off/],
    [write(cwd, 'list.json', []), /report list\.json: it is not a report/],
    [write(cwd, 'fields.json', { ...file, report: { ...report, requests: 'x' } }), /report\.requests/],
    [write(cwd, 'deep.json', `${'['.repeat(300)}${']'.repeat(300)}`), /nested more than 200 levels/],
    ['none.json', /Cannot read report none\.json: there is no such file/],
  ] as const
  const outcomes = await Promise.all(others.map(([name]) => run(['report', 'merge', first, name], { cwd })))
  for (const [index, [name, message]] of others.entries()) {
    expect(outcomes[index], `for ${name}`).toMatchObject({ code: 1, stdout: '' })
    expect(outcomes[index]?.stderr).toMatch(message)
  }
})

it('report and help reject unknown and missing commands', async () => {
  const cases = [
    [['report', 'merge'], /report merge needs files/],
    [['report'], /report needs a command/],
    [['report', 'mrge'], /unknown command 'mrge'/],
    [['help', 'nope'], /^Unknown command nope\. /],
  ] as const
  const outcomes = await Promise.all(cases.map(([args]) => run(args)))
  for (const [index, [args, message]] of cases.entries()) {
    expect(outcomes[index], `for ${args.join(' ')}`).toMatchObject({ code: 2, stdout: '' })
    expect(outcomes[index]?.stderr).toMatch(message)
  }
})
