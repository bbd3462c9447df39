/** The number of rows to render above and below those in view. */
const BEYOND = 12

interface Listed {
  readonly id: number
}

/**
 * Selects the part of a long list, newest first, to render: the rows in view and a few around them, all of the same
 * height. At the top, the list shows newer rows as they arrive; further down, or if a row has the focus, the rows in
 * view stay in place.
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
  /** The distance that the rows in view have moved since the last render. Units: rows. */
  #moved = 0
  /** Units: pixels. */
  #rowHeight = 34
  #inView = 30

  /** @param render renders the list again */
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

  /** The number of rows added since the top was in view. */
  get newer(): number {
    const place = this.#entries.findIndex(({ id }) => id <= this.#seen)
    return place === -1 ? this.#entries.length : place
  }

  /** Updates the entries; called before each render. */
  update(entries: readonly Listed[]): void {
    this.#entries = entries
    const stays = !this.#isAtTop || this.#hasFocus()
    const first = stays ? this.#findIndex(this.#first, this.#id) : this.#first
    const shift = first - this.#first
    this.#moved += shift
    this.#first = Math.max(0, Math.min(first, entries.length - this.#inView + 1))
    this.#from = Math.max(0, Math.min(this.#first, this.#from + shift))
    this.#id = entries[this.#first]?.id
    this.#isAtTop &&= this.#first === 0
    if (this.#isAtTop) this.#seen = entries[0]?.id ?? 0
  }

  /** Keeps the rows in view in place; called after each render, before the paint. */
  settle(): void {
    const scroller = this.#scroller
    if (this.#moved === 0 || !scroller) return
    scroller.scrollTop += this.#moved * this.#rowHeight
    this.#moved = 0
  }

  /** Updates the window after scrolling. */
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

  /** Follows the size of the scrolling table until the returned function is called. */
  observe(table: HTMLTableElement): () => void {
    this.#scroller = table
    const observer = new ResizeObserver(() => this.#measure())
    observer.observe(table)
    this.#measure()
    return () => observer.disconnect()
  }

  /** Scrolls a row into view, at the nearest edge or in the middle, and renders it. */
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

  /** Finds the row of a request; undefined if it is not rendered. */
  findRow(id: number): HTMLElement | undefined {
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
    // A hidden list has no height and loses its scroll position.
    const inView = Math.ceil(scroller.clientHeight / row)
    if (row === this.#rowHeight && inView === this.#inView) return
    this.#rowHeight = row
    this.#inView = inView
    if (inView === 0) return
    scroller.scrollTop = this.#first * row
    this.#render()
  }

  /** Returns the current position of a row, or its old one if the row was removed. */
  #findIndex(before: number, id: number | undefined): number {
    if (this.#entries[before]?.id === id) return before
    const place = this.#entries.findIndex((entry) => entry.id === id)
    return place === -1 ? before : place
  }

  #hasFocus(): boolean {
    return this.#body?.contains(document.activeElement) ?? false
  }
}
