declare module 'virtual:sections' {
  /** Everything that the search can find. */
  export const sections: readonly import('./build/markdown.ts').Section[]
}
