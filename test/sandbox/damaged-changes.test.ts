import { appendFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, it } from 'vitest'

import { change, commit, loadFolder } from '../folders.ts'
import { tooLong, createFolder, type Damage, expectDamage, swap } from './damaged-support.ts'

const damages: readonly Damage[] = [
  ['is cut off in its first line', () => '{"format":2', `it has no complete line`],
  [
    'has a field that is not known',
    swap('"by":', '"zzz":1,"by":'),
    'zzz in line 2 is not known. Known are at, by, request, scenario, reset, clock, changes',
  ],
  [
    'is NUL bytes with an end',
    (text) => `${text}\0\0\0\n${text}`,
    'line 4 contains NUL bytes, as after a power failure',
  ],
  ['has a line that is cut off', (text) => text.replace(/\}\]\}\n(?=\{"at")/, '\n'), 'line 2 is cut off'],
  [
    'has a line that is not JSON',
    swap('"by":"control"', '"by":control'),
    'it is not valid JSON (line 2, column 39)',
  ],
  [
    'has a row with the id of another record',
    swap('"id":3,"row"', '"id":4,"row"'),
    'changes[0].row.id in line 2 must be 4, the id of the change (got 3)',
  ],
  [
    'has a row that refers to no record, and empty lines',
    (text) => text.replaceAll('\n', '\n\n').replace('"managerId":4', '"managerId":40'),
    'managerId of member 4 in line 5: 40 matches no member',
  ],
  [
    'has a row whose dates are not in order',
    swap(
      /"table":"members","id":4.*\}(?=\]\})/,
      `"table":"notes","id":4,"row":{"id":4,"organizationId":"harbor","customerId":1,"categoryId":1,"content":"","createdById":1,"createdDate":"2026-01-15T12:00:00.000Z","updatedDate":"2026-01-14T12:00:00.000Z"}}`,
    ),
    'changes[0].row.updatedDate in line 3 must not be before createdDate, which is 2026-01-15T12:00:00.000Z',
  ],
  [
    'has its first line twice',
    (text) => text.replace(/(?<=\n)(?=.*"Two")/, text.slice(0, text.indexOf('\n') + 1)),
    'line 3 is a header again, of dataset 1 after dataset 1, so that the lines before it would be lost. Remove it',
  ],
  [
    'has the first line of another dataset in its middle',
    (text) => text.replace(/(?<=\n)(?=.*"One")/, '{"format":2,"dataset":7}\n'),
    'line 2 is the header of dataset 7, which is not the one in dataset.json, so that the lines after it would be lost. Remove it',
  ],
  [
    'has a record that is too long',
    swap('One', 'x'.repeat(1_048_576)),
    `changes[0].row in line 2 ${tooLong}`,
  ],
  [
    'is of another dataset',
    swap('"dataset":1', '"dataset":2'),
    'it belongs to another dataset than the one in dataset.json',
  ],
]

it.each(damages)('rejects a changes.jsonl that %s, and leaves it untouched', async (...damage) => {
  await expectDamage('changes.jsonl', damage)
})

it('drops the commit of a reseed that was interrupted, and says so', async () => {
  const folder = await createFolder()
  const path = join(folder, 'changes.jsonl')
  appendFileSync(path, `{"format":2,"dataset":2}\n${JSON.stringify(commit(change(5)))}\n`)
  const stored = await loadFolder(folder)
  expect(stored?.commits.flatMap(({ changes }) => changes.map(({ id }) => id))).toEqual([3, 4])
  expect(stored?.warnings).toEqual([
    `A reseed of ${folder} was interrupted before it took effect: the dataset before it is in use.`,
  ])
})
