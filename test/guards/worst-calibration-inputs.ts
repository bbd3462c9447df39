import type { Worst } from './worst-command-inputs.ts'

/** The regular expressions of a calibration: what a tenant sends, and what the command line is given. */
export const calibrationLiterals: Readonly<Record<string, Worst>> = {
  [String.raw`/T\d\d:\d\d:\d\d/`]: [['', 'T00:', '']],
  [String.raw`/\.\d{3}/`]: [['', '.00', '']],
  [String.raw`/\.\d{3}(\d+)Z$/`]: [['.000', '1', 'x']],
  [String.raw`/[1-9]/`]: [['', '0', '']],
  [String.raw`/^(?=.*(?:_|[A-Z]{4}))[^a-z -]+$/`]: [
    ['', 'ABC1', 'a'],
    ['_', 'A', 'a'],
  ],
  [String.raw`/[a-z -]/`]: [['', 'A', '']],
  [String.raw`/^[A-Za-z_$][\w$-]{0,39}$/`]: [['a', 'a', '!']],
  [String.raw`/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?$/`]: [
    ['2026-01-15T12:00:00.', '0', 'x'],
  ],
  [String.raw`/^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i`]: [['', 'a', '']],
  [String.raw`/^[^\s@]{1,64}@[^\s@]{1,255}$/`]: [
    ['', 'a', ''],
    ['a@', 'a', ' '],
  ],
  [String.raw`/^https?:\/\/\S{1,2000}$/`]: [['https://', 'a', ' ']],
  [String.raw`/[A-Za-z]/`]: [['', '1', '']],
  [String.raw`/\.\d{3}(?:Z|[+-]\d\d:\d\d)$/`]: [['', '.000Z', 'x']],
  [String.raw`/^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/`]: [['127', '.1', '']],
  [String.raw`/[_-]/g`]: [['', '_', '']],
  [String.raw`/^[A-Za-z]{1,30}(?:[ _-][A-Za-z]{1,30}){0,3}$/`]: [
    ['', 'a', '!'],
    ['a', ' a', '!'],
  ],
  [String.raw`/^[\x21-\x7E]+$/`]: [['', 'a', ' ']],
  [String.raw`/^y(?:es)?$/i`]: [['', 'yes', '']],
  [String.raw`/^([^=]*)=(.+)$/s`]: [['', 'a', '']],
}
