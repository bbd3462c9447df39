import { describe, expect, it } from 'vitest'

import { parseBlocks } from '../pages/blocks.ts'
import { matchesJson, matchesText } from '../pages/compare.ts'
import { planBlocks } from '../pages/plan.ts'
import { parseServer, splitCommands } from '../pages/shell.ts'

const plan = (...lines: readonly string[]) =>
  planBlocks('docs/a.md', parseBlocks('docs/a.md', lines.join('\n')))

describe('the blocks of a page', () => {
  it('are run, written, quoted or marked; all others are errors', () => {
    const bad = {
      'an unknown language': ['```python', 'print(1)', '```'],
      'JSON without a command': ['```json', '{}', '```'],
      'invalid JSON': ['```sh', 'true', '```', '```json', '{ "a": … }', '```'],
      'a note that is misspelled': ['<!-- not-run: no Python -->', '```python', 'print(1)', '```'],
      'a quote of no file': ['<!-- examples/none.ts -->', '```ts', 'a', '```'],
      'a line that the file lacks': ['<!-- examples/README.md -->', '```ts', 'not in there', '```'],
      'a file elsewhere': ['<!-- file: ../a.json -->', '```json', '{}', '```'],
      'Playwright without an example': ['```ts', "import 'workspace-sandbox/playwright'", '```'],
      'a result in another place': ['```ts', 'if (a) console.log(a) // → 1', '```'],
    }
    for (const [name, lines] of Object.entries(bad)) {
      expect(plan(...lines).errors, `for ${name}`).toEqual([expect.stringMatching(/^docs\/a\.md:\d: /)])
    }
  })

  it('become steps in the order of the page, with the modules joined at their lines', () => {
    const { steps, errors } = plan(
      '```ts',
      "import 'a'",
      '```',
      '<!-- not run: no Python -->',
      '',
      '```python',
      '```',
      '```sh',
      'true',
      '```',
      '```text',
      '```',
      '<!-- file: a.json -->',
      '```json',
      '{}',
      '```',
      '```js',
      'b()',
      '```',
    )
    expect(errors).toEqual([])
    expect(steps.map(({ kind }) => kind)).toEqual(['module', 'shell', 'file'])
    expect(steps[0]).toMatchObject({ module: { blocks: [{ line: 2 }, { line: 18, code: 'b()' }] } })
    expect(steps[1]).toMatchObject({ output: { language: 'text' } })
  })
})

it('compares JSON, in which … matches anything or the rest', () => {
  expect(matchesJson({ a: '…', b: [1, '…'], '…': '…' }, { a: {}, b: [1, 2, 3], c: 1 })).toBe(true)
  expect(matchesJson({ a: [1] }, { a: [1] })).toBe(true)
  expect(matchesJson({ a: 1 }, { a: 1, b: 2 })).toBe(false)
  expect(matchesJson({ a: '…', '…': '…' }, { b: 2 })).toBe(false)
  expect(matchesJson([1], [1, 2])).toBe(false)
  expect(matchesJson([1, 2, '…'], [1])).toBe(false)
})

it('compares text line by line, in which … matches a part of a line, or lines', () => {
  expect(matchesText('a … (c)\n…\nd', 'a b (c)  \n1\n2\nd\n')).toBe(true)
  expect(matchesText('…\nd', 'd')).toBe(true)
  expect(matchesText('a … c', 'a\nc')).toBe(false)
  expect(matchesText('a', 'a\nb')).toBe(false)
  expect(matchesText('a.', 'ab')).toBe(false)
})

it('splits a script into commands of one or more lines', () => {
  const commands = ['a \\\n  b', "c 'd\ne'", 'for i in 1; do\n  f\ndone', "cat <<'END'\ng\nEND", 'h |\n  i']
  expect(splitCommands(['# comment', ...commands, ''].join('\n'))).toEqual(commands)
})

it('recognises a server in the foreground, which CI starts in the background', () => {
  const yes = ['', ' start', ' --memory', ' start --port 4500 &'].map(
    (args) => `npx workspace-sandbox${args}`,
  )
  const no = [' reset', ' exec -- npm test', ' --help', ' --version', ' start --help', ' export > a.json']
  expect([...yes, 'A=1 npx workspace-sandbox'].filter((command) => !parseServer(command))).toEqual([])
  expect(no.filter((args) => parseServer(`npx workspace-sandbox${args}`))).toEqual([])
})
