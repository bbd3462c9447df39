/** A command and what the terminal shows after it, with ANSI colors. */
export interface Step {
  readonly command: string
  readonly output: string
}

/** The width of the terminal. Units: characters. */
export const COLUMNS = 100

/** Units: pixels. */
const [CHARACTER, LINE, MARGIN, BAR] = [7.8, 19, 18, 34]

/** Units: seconds. */
const [BETWEEN_STEPS, READING_A_LINE, END_OF_SCREEN] = [0.9, 0.28, 3.5]

interface Run {
  readonly text: string
  readonly column: number
  readonly style: string
}

const styles: Readonly<Record<string, string>> = { 1: 'b', 2: 'd', 31: 'r', 32: 'g', 33: 'y', 36: 'c' }

/** The codes that end a style. */
const ends: Readonly<Record<string, RegExp>> = { 0: /./g, 22: /[bd]/g, 39: /[rgyc]/g }

/** Splits the text of a terminal into lines of styled text, wrapped at the width of the terminal. */
function parseLines(text: string): Run[][] {
  let style = ''
  return text.split('\n').flatMap((line) => {
    const rows: Run[][] = [[]]
    let column = 0
    // oxlint-disable-next-line no-control-regex -- escape sequences begin with a control character
    for (const part of line.split(/(\u001B\[[\d;?]*[A-Za-z])/)) {
      if (part.startsWith('\u001B')) {
        for (const code of part.slice(2, -1).split(';')) {
          style = style.replaceAll(ends[code] ?? /$^/g, '') + (styles[code] ?? '')
        }
        continue
      }
      for (let rest = part; rest !== '';) {
        if (column === COLUMNS) {
          rows.push([])
          column = 0
        }
        const piece = rest.slice(0, COLUMNS - column)
        rows.at(-1)?.push({ text: piece, column, style })
        column += piece.length
        rest = rest.slice(piece.length)
      }
    }
    return rows
  })
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

function drawRun({ text, column, style }: Run, y: number): string {
  const start = text.length - text.trimStart().length
  const shown = text.trim()
  if (shown === '') return ''
  const x = (MARGIN + (column + start) * CHARACTER).toFixed(1)
  const width = (shown.length * CHARACTER).toFixed(1)
  const classes = style === '' ? '' : ` class="${style.split('').join(' ')}"`
  const content = shown.replaceAll(/[&<>]/g, (character) => escapes[character] ?? '')
  return `<text x="${x}" y="${y}" textLength="${width}"${classes}>${content}</text>`
}

/** A part of the picture, with the time at which it appears and that at which it goes. Units: seconds. */
interface Frame {
  readonly content: string
  readonly fromS: number
  readonly toS: number
}

/** Draws the steps of a screen from a time on; all of them stay until the screen ends. */
function drawScreen(steps: readonly Step[], startS: number): { frames: Frame[]; endS: number; rows: number } {
  let [timeS, row] = [startS, 0]
  const drawn = steps.flatMap(({ command, output }) => {
    const parts = [`\u001B[32m$\u001B[39m \u001B[1m${command}\u001B[22m`, output].map((text) => {
      const fromS = timeS
      const lines = parseLines(text)
      const content = lines.flatMap((runs, index) =>
        runs.map((run) => drawRun(run, BAR + MARGIN + (row + index) * LINE)),
      )
      row += lines.length
      timeS += BETWEEN_STEPS + lines.length * READING_A_LINE
      return { content: content.join(''), fromS }
    })
    row += 1
    return parts
  })
  const endS = timeS + END_OF_SCREEN
  return { frames: drawn.map((part) => ({ ...part, toS: endS })), endS, rows: row }
}

const colors = (
  background: string,
  bar: string,
  text: string,
  dim: string,
  palette: readonly string[],
): string =>
  [`.w{fill:${background};stroke:${bar}}.k{fill:${bar}}text{fill:${text}}.d{fill:${dim}}`]
    .concat(['r', 'g', 'y', 'c'].map((name, index) => `.${name}{fill:${palette[index]}}`))
    .join('')

const light = colors('#fff', '#d1d9e0', '#1f2328', '#59636e', ['#cf222e', '#1a7f37', '#9a6700', '#0969da'])
const dark = colors('#0d1117', '#30363d', '#e6edf3', '#9198a1', ['#ff7b72', '#3fb950', '#d29922', '#58a6ff'])

/** Draws screens, one after the other, as an SVG that repeats; without motion, it shows the last one. */
export function drawTerminal(screens: readonly (readonly Step[])[]): string {
  let endS = 0
  let rows = 0
  const frames = screens.flatMap((steps) => {
    const screen = drawScreen(steps, endS)
    endS = screen.endS
    rows = Math.max(rows, screen.rows)
    return screen.frames
  })
  const percent = (seconds: number) => `${((seconds / endS) * 100).toFixed(2)}%`
  const keyframes = frames.map(({ fromS, toS }, index) => {
    const hidden = fromS === 0 ? '' : '0%{opacity:0}'
    const gone = toS === endS ? '' : `${percent(toS)}{opacity:0}`
    return `@keyframes f${index}{${hidden}${percent(fromS)}{opacity:1}${gone}}.f${index}{animation-name:f${index}}`
  })
  const isLast = ({ toS }: Frame) => toS === endS
  const first = frames.findIndex(isLast)
  const still = frames.map((_, index) => `.f${index}{animation:none;opacity:${index < first ? 0 : 1}}`)
  const [width, height] = [Math.ceil(COLUMNS * CHARACTER + 2 * MARGIN), BAR + MARGIN + rows * LINE]
  const css = [
    'text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;white-space:pre}.b{font-weight:700}',
    light,
    `@media(prefers-color-scheme:dark){${dark}}`,
    `.f{animation-duration:${endS.toFixed(1)}s;animation-timing-function:step-end;animation-iteration-count:infinite}`,
    ...keyframes,
    `@media(prefers-reduced-motion:reduce){${still.join('')}}`,
  ]
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="A terminal: workspace-sandbox starts, responds, fails by an injected fault, and is reset.">`,
    `<style>${css.join('\n')}</style>`,
    `<rect class="w" x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="8"/>`,
    ...[0, 1, 2].map((index) => `<circle class="k" cx="${20 + index * 18}" cy="17" r="5"/>`),
    ...frames.map(({ content }, index) => `<g class="f f${index}">${content}</g>`),
    '</svg>',
    '',
  ].join('\n')
}
