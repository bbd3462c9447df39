declare module 'virtual:sections' {
  import type { Section } from './build/markdown.ts'

  export const sections: readonly Section[]
}
