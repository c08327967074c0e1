/** The command `dev`, as a foreground job of a terminal. */

import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { expect, vi } from 'vitest'

const root = join(import.meta.dirname, '../../..')

export type Run = {
  child: ChildProcess
  output(): string
  exit: Promise<number | null>
  shows(words: string): Promise<void>
  /** The folder of the stack. Another stack of this clone may be running; this one then has a folder of its own. */
  folder(): string
}

/** Runs it in a process group of its own. */
export function runDev(...args: string[]): Run {
  const child = spawn(process.execPath, ['libs/development/dev/src/dev.ts', ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (text += chunk.toString()))
  return {
    child,
    output: () => text,
    exit: new Promise((resolve) => child.once('exit', resolve)),
    shows: (words) => vi.waitFor(() => expect(text).toContain(words), { timeout: 240_000, interval: 100 }),
    folder: () => join(root, /^ {2}(\.dev\S*)\/stack\.json /m.exec(text)?.[1] ?? 'none'),
  }
}
