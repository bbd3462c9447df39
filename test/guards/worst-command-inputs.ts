import { calibrationLiterals } from './worst-calibration-inputs.ts'

/** The slowest inputs: a beginning, a repeated part, and an end that breaks the match. */
export type Worst = readonly (readonly [start: string, repeated: string, end: string])[]

/** A pattern applied only to the sandbox's own texts, or to a few digits. */
export const ours = 'ours'

/** The regular expressions of the command line, its options and files. */
export const commandLiterals: Readonly<Record<string, Worst | typeof ours>> = {
  // Answers that calibrate reads.
  [String.raw`/^[A-Z]{2,3}$/`]: [['', 'A', 'x']],
  [String.raw`/^#[\da-f]{6}$/i`]: [['#', 'a', 'x']],

  ...calibrationLiterals,
  // Copies of clients.
  [String.raw`/^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|[+-]\d\d(?::?\d\d)?)?$/i`]: [
    ['2026-01-15T12:00:00.', '1', 'x'],
  ],
  [String.raw`/^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i`]: [
    ['', '1', 'x'],
    ['1.', '1', 'x'],
    ['1e', '1', 'x'],
  ],
  [String.raw`/^[+-]\d\d$/`]: [['+', '1', '']],
  [String.raw`/^([+-]\d\d)(\d\d)$/`]: [['+', '1', '']],
  [String.raw`/^bearer +/i`]: [['bearer', ' ', 'x']],
  [String.raw`/^application\/(?:x-)?ndjson\b/i`]: [['application/', 'x-', '']],

  [String.raw`/\.[cm]?ts$/`]: [['', '.c', 't']],
  [String.raw`/\.$/`]: [['', '.', 'x']],
  // A schedule as a literal, and a command to paste.
  [String.raw`/^[A-Za-z_]\w*$/`]: [['', 'a', '-']],
  [String.raw`/^[\w./:=@-]+$/`]: [['', 'a', ' ']],
  [String.raw`/^error: /`]: [['', 'error: ', '']],
  [String.raw`/\n\((.*)\)$/`]: [
    ['', '\n(', 'x'],
    ['\n(', ')', 'x'],
  ],
  [String.raw`/[.?]$/`]: [['', '.', 'x']],
  [String.raw`/\bthe option (\w+)/g`]: [['', 'the option ', '']],
  [String.raw`/[A-Z]/g`]: [['', 'A', '']],
  [String.raw`/^\./`]: [['', '.', '']],
  [String.raw`/[\p{Cc}\u2028\u2029]/u`]: [['', ' ', '\n']],
  [String.raw`/[\s\p{Cc}]+/gu`]: [
    ['', ' ', 'x'],
    ['', ' x', '\n'],
  ],
  [String.raw`/^-?\d+(?:\.\d+)?$/`]: [
    ['-', '1', 'x'],
    ['1.', '1', 'x'],
  ],
  [String.raw`/^\{"format":(\d+),"sum":"([0-9a-f]{8})","entry":/`]: [['{"format":', '1', '']],
  [String.raw`/^lock\.json\.(?:tmp|ping|[0-9a-f]{16}(?:\.new|\.ping)?)$/`]: [['lock.json.', '0', '']],
  [String.raw`/"(\w+)": \[$/`]: [
    ['"', 'a', ''],
    ['', '"a": [', 'x'],
  ],
  [String.raw`/at position (\d+)/`]: [['at position ', 'at position ', '']],
  [String.raw`/[\\/]|\.json$/i`]: [['', '.json', 'x']],
  [String.raw`/^ParseError: /`]: [['', 'ParseError: ', '']],
  [String.raw`/:(\d+)(?::\d+)?\)?$/`]: [
    ['', ':1', 'x'],
    [':', '1', 'x'],
  ],
  [String.raw`/^error: unknown option '(--[^=']+)=/`]: [["error: unknown option '--", 'x', '']],
  [String.raw`/^\[(\d+)\]/`]: [['[', '1', '']],
  [String.raw`/^https?:$/`]: [['http', 's', '']],
  [String.raw`/^\/(?:v1\/?)?$/`]: [['/v1', '/', '']],
  [String.raw`/^(?:[^:@/\s[\]]+|\[?[0-9a-f]*:[0-9a-f:.]*\]?)$/i`]: [
    ['', 'a', ':'],
    ['[', 'a', '@'],
    ['[', ':', '@'],
  ],
  [String.raw`/^(?:[a-z][a-z0-9+.-]*:\/\/[^/?#\s]+\/?|null)$/i`]: [
    ['', 'a', ''],
    ['a://', 'x', ' '],
    ['a://x', '/', ''],
  ],
  [String.raw`/^(?:Unexpected end|Unterminated)/`]: ours,
}
