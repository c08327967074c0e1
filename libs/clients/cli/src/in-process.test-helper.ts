/** The program in the process of a test, with streams and an environment of its own. */

import { PassThrough, Writable } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import type { Surroundings } from './context.ts'
import { runProgram } from './program.ts'

export type Ended = { code: number; stdout: string; stderr: string }

export type Situation = {
  /** The person at the terminal gives this answer to the question. Without it, nothing is a terminal. */
  answer?: string
  /** Receives a function that presses Ctrl-C. */
  arm?: (pressCtrlC: () => void) => void
  onLine?: ((line: string, stream: 'stdout' | 'stderr') => void) | undefined
  /** The code of the error with which every output fails: `EPIPE` if its reader has gone. */
  outputFails?: string
  /** The time for which requests are repeated. */
  retryForMs?: number
}

/** Runs one command line to its end. */
export async function runInProcess(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  { answer, arm, onLine = () => {}, outputFails, retryForMs }: Situation = {},
): Promise<Ended> {
  const isTTY = answer !== undefined
  const stdin = Object.assign(new PassThrough(), { isTTY })
  const reply = (text: string) => isTTY && text.includes('] ') && stdin.write(`${answer}\n`)
  const stdout = collector((line) => onLine(line, 'stdout'), outputFails)
  const stderr = collector((line) => onLine(line, 'stderr'), outputFails, reply)
  const surroundings = {
    stdin,
    stdout: stdout.stream,
    stderr: Object.assign(stderr.stream, { isTTY }),
    env,
    ...(retryForMs !== undefined && { retryForMs }),
    exit: () => {
      throw new Error('the program ends by its exit code')
    },
    once: (_signal: 'SIGINT', listener: () => void) => arm?.(listener),
  }
  const code = await runProgram(args, surroundings as unknown as Surroundings)
  return { code, stdout: stdout.text(), stderr: stderr.text() }
}

function collector(onLine: (line: string) => void, fails?: string, onText: (text: string) => unknown = () => {}) {
  let all = ''
  let rest = ''
  const stream = new Writable({
    // A failed output of a process stays open: every further write fails too.
    autoDestroy: false,
    write: (chunk: Buffer, _encoding, done) => {
      if (fails !== undefined) return done(Object.assign(new Error(fails), { code: fails }))
      const text = chunk.toString()
      all += text
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) onLine(stripVTControlCharacters(line))
      onText(text)
      return done()
    },
  })
  return { stream, text: () => all }
}
