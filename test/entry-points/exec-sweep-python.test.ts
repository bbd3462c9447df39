import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

import { describe, expect, it } from 'vitest'

import { type Outcome, run } from './command.ts'

// The interpreter itself, which starts twice as fast as the wrapper of a version manager.
const python = spawnSync('python3', ['-c', 'import sys; print(sys.executable, end="")']).stdout.toString()

describe.runIf(python !== '')('the examples in Python', () => {
  const folder = resolve('examples/sync/python')
  const read = (name: string) => readFileSync(join(folder, `${name}.txt`), 'utf8')

  /** Sweeps a connector of the examples. */
  const sweepExample = (flags: readonly string[], ...words: readonly string[]) =>
    run(['exec', '--sweep', '--quiet', ...flags, '--', ...words], {
      cwd: folder,
      env: { PATH: `${dirname(python)}:${process.env['PATH']}`, PYTHONDONTWRITEBYTECODE: '1' },
    })

  const rows = ['--copy', 'cat $STATE/customers.ndjson']

  /** Sweeps a connector that writes messages for a target. */
  const sweepMessages = (connector: string, flags: readonly string[]) => {
    const full = ['--full', `python3 ${connector} --full | python3 target.py --overwrite`]
    const line = `python3 ${connector} --state {state}/state.json | python3 target.py`
    return sweepExample([...full, '--copy', 'cat {state}/messages.jsonl', ...flags], 'sh', '-c', line)
  }

  /** Tries only the schedule that fails, and expects the rest of the text, which is that of the whole sweep. */
  async function expectFailure(name: string, sweepAgain: (flags: readonly string[]) => Promise<Outcome>) {
    const text = read(name)
    const [, schedule = ''] = /--schedule '(.*?)' --/.exec(text) ?? []
    const { code, stderr } = await sweepAgain(['--schedule', schedule])
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: text.replace(/ It is the (?:smallest: |first ).*/, ''),
    })
  }

  const survives =
    'The client survives 1 schedule: 1 single event and 0 pairs, and 2 runs without any event.\n'

  it.each(['naive', 'common'])('%s fails as its text says', (name) =>
    expectFailure(name, (flags) => sweepExample([...rows, ...flags], 'python3', `${name}.py`)),
  )

  it('sound survives a schedule', async () => {
    const flags = [...rows, '--full', 'python3 sound.py --full', '--schedules', '1']
    const { code, stdout } = await sweepExample(flags, 'python3', 'sound.py')
    expect({ code, stdout }).toEqual({ code: 0, stdout: survives })
    expect(read('sound')).toBe(
      survives.replace('1 schedule', '10 schedules').replace('1 single event', '10 single events'),
    )
  })

  it.each([
    ['a Singer tap', 'singer_tap.py', 'singer_tap'],
    ['an Airbyte source', 'airbyte_source.py read', 'airbyte_source'],
  ])('%s survives a schedule, and fails with its mistake as its text says', async (_, connector, name) => {
    const right = await sweepMessages(connector, ['--schedules', '1'])
    expect(right).toEqual({ code: 0, stdout: survives, stderr: '' })
    await expectFailure(name, (flags) => sweepMessages(`${connector} --mistake`, flags))
  })
})
