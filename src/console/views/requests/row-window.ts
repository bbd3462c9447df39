/** How many rows are rendered beyond those in view, on either side. */
const BEYOND = 12

interface Listed {
  readonly id: number
}

/**
 * Which part of a long list, newest first, is rendered: what is in view, and a little around it; all rows are of one
 * height. At its top the list shows newer ones as they come; further down, or where one of the rows has the focus, what
 * is in view stays where it is.
 */
export class RowWindow {
  #scroller: HTMLTableElement | null = null
  readonly #render: () => void
  #entries: readonly Listed[] = []
  /** The first row in view, and its id. */
  #first = 0
  #id: number | undefined
  #from = 0
  #isAtTop = true
  /** The id of the first row when it was last in view. */
  #seen = 0
  /** How far what is in view has moved since it was last rendered. Units: rows. */
  #moved = 0
  /** Units: pixels. */
  #rowHeight = 34
  #inView = 30

  /** @param render renders the list anew */
  constructor(render: () => void) {
    this.#render = render
  }

  /** The first row to render. */
  get from(): number {
    return this.#from
  }

  /** The row after the last one to render. */
  get to(): number {
    return Math.min(this.#entries.length, this.#from + this.#inView + BEYOND * 2)
  }

  /** How many have come on top since the top was in view. */
  get newer(): number {
    const place = this.#entries.findIndex(({ id }) => id <= this.#seen)
    return place === -1 ? this.#entries.length : place
  }

  /** Takes over what the list is now; to be called before it is rendered. */
  update(entries: readonly Listed[]): void {
    this.#entries = entries
    const stays = !this.#isAtTop || this.#hasFocus()
    const first = stays ? this.#placeOf(this.#first, this.#id) : this.#first
    const shift = first - this.#first
    this.#moved += shift
    this.#first = Math.max(0, Math.min(first, entries.length - this.#inView + 1))
    this.#from = Math.max(0, Math.min(this.#first, this.#from + shift))
    this.#id = entries[this.#first]?.id
    this.#isAtTop &&= this.#first === 0
    if (this.#isAtTop) this.#seen = entries[0]?.id ?? 0
  }

  /** Keeps what is in view in its place; to be called once the list is rendered, before it is painted. */
  settle(): void {
    const scroller = this.#scroller
    if (this.#moved === 0 || !scroller) return
    scroller.scrollTop += this.#moved * this.#rowHeight
    this.#moved = 0
  }

  /** The list was scrolled. */
  scrolled(): void {
    const scroller = this.#scroller
    if (!scroller) return
    const wasAtTop = this.#isAtTop
    this.#first = Math.floor(scroller.scrollTop / this.#rowHeight)
    this.#id = this.#entries[this.#first]?.id
    this.#isAtTop = scroller.scrollTop < 1
    const above = this.#first - this.#from
    const isNear = (this.#from === 0 || above >= BEYOND / 3) && above <= (BEYOND * 5) / 3
    if (!isNear) this.#from = Math.max(0, this.#first - BEYOND)
    if (!isNear || this.#isAtTop !== wasAtTop) this.#render()
  }

  /** Takes the table, which scrolls in itself, and follows its size until the function that it gives is called. */
  observe(table: HTMLTableElement): () => void {
    this.#scroller = table
    const observer = new ResizeObserver(() => this.#measure())
    observer.observe(table)
    this.#measure()
    return () => observer.disconnect()
  }

  /** Scrolls as far as it takes for a row to be in view, or on until it is amid it; and renders it. */
  reveal(index: number, where: 'edge' | 'middle' = 'edge'): void {
    const scroller = this.#scroller
    if (!scroller?.clientHeight || !this.#body || index < 0) return
    const room = scroller.clientHeight - this.#body.offsetTop
    const top = index * this.#rowHeight
    const bottom = top + this.#rowHeight
    const { scrollTop } = scroller
    if (top < scrollTop || bottom > scrollTop + room) {
      const edge = top < scrollTop ? top : bottom - room
      scroller.scrollTop = where === 'edge' ? edge : (top + bottom - room) / 2
    }
    this.scrolled()
    this.#render()
  }

  /** The row of a request; undefined where it is not rendered. */
  rowOf(id: number): HTMLElement | undefined {
    return this.#body?.querySelector<HTMLElement>(`[data-id="${id}"]`) ?? undefined
  }

  /** Moves the focus to the list itself. */
  focus(): void {
    this.#scroller?.focus()
  }

  goToTop(): void {
    if (this.#scroller) this.#scroller.scrollTop = 0
    this.scrolled()
  }

  get #body(): HTMLTableSectionElement | undefined {
    return this.#scroller?.tBodies[0]
  }

  #measure(): void {
    const scroller = this.#scroller
    if (!scroller) return
    const row = this.#body?.firstElementChild?.getBoundingClientRect().height || this.#rowHeight
    // Nothing has a height while it is hidden, and is no longer where it was scrolled to afterwards.
    const inView = Math.ceil(scroller.clientHeight / row)
    if (row === this.#rowHeight && inView === this.#inView) return
    this.#rowHeight = row
    this.#inView = inView
    if (inView === 0) return
    scroller.scrollTop = this.#first * row
    this.#render()
  }

  /** Where a row is now; where it was, if it is gone. */
  #placeOf(before: number, id: number | undefined): number {
    if (this.#entries[before]?.id === id) return before
    const place = this.#entries.findIndex((entry) => entry.id === id)
    return place === -1 ? before : place
  }

  #hasFocus(): boolean {
    return this.#body?.contains(document.activeElement) ?? false
  }
}
