import { stripVTControlCharacters } from 'node:util'

import { createLogger, createServer } from 'vite'
import { expect, it, onTestFinished } from 'vitest'

import { workspaceSandbox } from '../../src/vite.ts'
import { temporaryFolder } from '../folders.ts'

it('prints the URL of the console under the URLs of Vite, each time that Vite prints them', async () => {
  const lines: string[] = []
  const server = await createServer({
    root: temporaryFolder(),
    base: '/app/',
    configFile: false,
    clearScreen: false,
    customLogger: {
      ...createLogger('info'),
      info: (line: string) => void lines.push(stripVTControlCharacters(line)),
    },
    plugins: [workspaceSandbox({ size: 'small' })],
  })
  onTestFinished(() => server.close())
  await server.listen(0)
  const expectLines = () => {
    lines.length = 0
    server.printUrls()
    const bound = server.httpServer?.address()
    const url = `http://localhost:${typeof bound === 'object' ? bound?.port : ''}`
    const own = lines.filter((line) => !line.includes('Network'))
    expect(own).toEqual([`  ➜  Local:   ${url}/app/`, `  ➜  Sandbox: ${url}/_sandbox`])
  }
  expectLines()
  // As the shortcut `u` does.
  expectLines()
  await server.restart()
  expectLines()
})
