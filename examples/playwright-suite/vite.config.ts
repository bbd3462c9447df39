import { defineConfig } from 'vite'
import { workspaceSandbox } from 'workspace-sandbox/vite'

export default defineConfig({ plugins: [workspaceSandbox({ size: 'small' })] })
