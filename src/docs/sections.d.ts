declare module 'virtual:sections' {
  import type { Section } from './build/markdown.ts'

  /** Everything that the search can find. */
  export const sections: readonly Section[]
}
