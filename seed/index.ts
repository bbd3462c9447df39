export { createFuture } from './future/index.ts'
export { generate } from './dataset/generate.ts'
export { createGenerator } from './dataset/generators.ts'
