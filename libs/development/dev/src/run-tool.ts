/** Runs a tool of the repository in the foreground. The tool prints by itself; the caller gets its exit code. */

import { spawn } from 'node:child_process'
import { root } from '@financial-agents/testkit/programs'

export type ToolOptions = {
  env?: Record<string, string>
  /** The working folder; the root of the repository if absent. */
  cwd?: string
  /** Opens a channel to the tool, and receives the messages that the tool sends through it. */
  onMessage?: (message: unknown) => void
}

/** Passes on a signal that reaches this process alone and not the whole terminal, so that no tool is left running. */
export function runTool(program: string, args: readonly string[], options: ToolOptions = {}): Promise<number> {
  const { env = {}, cwd = root, onMessage } = options
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['inherit', 'inherit', 'inherit', ...(onMessage ? (['ipc'] as const) : [])],
  })
  if (onMessage) child.on('message', onMessage)
  const stop = () => child.kill('SIGTERM')
  // A terminal sends Ctrl-C to the tool as well, so this process only waits.
  const wait = () => {}
  process.on('SIGTERM', stop)
  process.on('SIGINT', wait)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => {
      process.off('SIGTERM', stop)
      process.off('SIGINT', wait)
      resolve(code ?? 1)
    })
  })
}
