export { createFuture } from './future/index.ts'
export { generate } from './generate.ts'
export { createGenerator } from './generators.ts'
