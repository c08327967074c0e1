// Child processes that this process starts and ends. Each runs in its own process group, so that a terminal's Ctrl-C
// reaches only this process, which stops the children in order. If this process exits by itself, it kills the remaining
// children; if it is killed, the reaper does. The last lines of every child are kept, so that an early exit can be
// reported in one readable line.

import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { forgetGroup, reapGroup } from './reaper.ts'

const KEPT_LINES = 200
const QUOTED_LINES = 3
const DEFAULT_GRACE_MS = 5_000
const OUTPUT_AFTER_EXIT_MS = 250

/** Exit of a child: an exit code or the signal that ended it. */
export type ExitStatus = { code: number | null; signal: NodeJS.Signals | null }

export type ChildOptions = {
  cwd?: string
  /** The child's whole environment; ours when absent. */
  env?: NodeJS.ProcessEnv
  /** Run as this user (only where we are root). */
  user?: { uid: number; gid: number }
  /** Called with every line of standard output and standard error. */
  onLine?: (line: string, stream: 'stdout' | 'stderr') => void
}

/** True if a process with this id runs, whichever user it belongs to. */
export function isProcessRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: the process runs, and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** A child process. It is killed when this process exits. */
export type Child = {
  readonly name: string
  readonly pid: number
  /** Resolves when the process has ended and its output was read; never rejects. */
  readonly exited: Promise<ExitStatus>
  isRunning(): boolean
  /** The last lines of both outputs, oldest first. */
  lastLines(count?: number): string[]
  signal(signal: NodeJS.Signals): void
  /**
   * Sends the signal (SIGTERM), and SIGKILL to the whole group after `graceMs` (5 s). Resolves when the process has
   * ended.
   */
  stop(options?: { signal?: NodeJS.Signals; graceMs?: number }): Promise<void>
  /** Sends SIGKILL to the whole group. Resolves when the process has ended. */
  kill(): Promise<void>
}

const liveGroups = new Set<number>()
let killsAtExit = false

function signalPid(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    // The group has ended already. macOS returns EPERM for a group whose processes have all ended.
    const code = (error as NodeJS.ErrnoException).code
    if (code !== 'ESRCH' && code !== 'EPERM') throw error
  }
}

function killGroupsAtExit(): void {
  if (killsAtExit) return
  killsAtExit = true
  process.once('exit', () => {
    for (const pid of liveGroups) signalPid(-pid, 'SIGKILL')
  })
}

/** Describes an exit in words: `exit code 1`, `SIGKILL`. */
export function describeExit(status: ExitStatus): string {
  return status.signal ?? `exit code ${status.code}`
}

/**
 * Starts a program in its own process group, its input closed, its output read line by line.
 * @throws Error in one line when it cannot be started.
 */
export async function startChild(
  name: string,
  command: string,
  args: readonly string[],
  options: ChildOptions = {},
): Promise<Child> {
  killGroupsAtExit()
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: options.env ?? process.env,
    ...options.user,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  if (child.pid !== undefined) reapGroup(child.pid)
  const lines: string[] = []
  for (const stream of ['stdout', 'stderr'] as const) {
    createInterface({ input: child[stream] }).on('line', (line) => {
      lines.push(line)
      if (lines.length > KEPT_LINES) lines.shift()
      options.onLine?.(line, stream)
    })
  }

  let running = true
  const exited = new Promise<ExitStatus>((resolve) => {
    child.once('exit', (code, signal) => {
      running = false
      if (child.pid !== undefined) {
        liveGroups.delete(child.pid)
        signalPid(-child.pid, 'SIGKILL')
        forgetGroup(child.pid)
      }
      const status = { code, signal }
      const giveUpReading = setTimeout(() => resolve(status), OUTPUT_AFTER_EXIT_MS)
      child.once('close', () => {
        clearTimeout(giveUpReading)
        resolve(status)
      })
    })
  })
  const pid = await new Promise<number>((resolve, reject) => {
    child.once('spawn', () => resolve(child.pid as number))
    child.once('error', (cause) => reject(new Error(`${name} cannot be started: ${cause.message}`, { cause })))
  })
  if (running) liveGroups.add(pid)

  const kill = async () => {
    if (running) signalPid(-pid, 'SIGKILL')
    await exited
  }
  return {
    name,
    pid,
    exited,
    isRunning: () => running,
    lastLines: (count = KEPT_LINES) => lines.slice(-count),
    signal: (signal) => {
      if (running) signalPid(pid, signal)
    },
    stop: async ({ signal = 'SIGTERM', graceMs = DEFAULT_GRACE_MS } = {}) => {
      if (running) signalPid(pid, signal)
      const timer = new AbortController()
      const gone = await Promise.race([
        exited.then(() => true),
        delay(graceMs, false, { signal: timer.signal }).catch(() => true),
      ])
      timer.abort()
      if (!gone) await kill()
    },
    kill,
  }
}

/**
 * Runs a program to its end.
 * @returns its standard output, at most the last 200 lines.
 * @throws Error in one line, with the last lines of its output, when it fails; the abort reason when aborted.
 */
export async function runToEnd(
  name: string,
  command: string,
  args: readonly string[],
  options: Omit<ChildOptions, 'onLine'> & { signal?: AbortSignal | undefined } = {},
): Promise<string> {
  options.signal?.throwIfAborted()
  const output: string[] = []
  const child = await startChild(name, command, args, {
    ...options,
    onLine: (line, stream) => {
      if (stream === 'stdout') output.push(line)
      if (output.length > KEPT_LINES) output.shift()
    },
  })
  const abort = () => child.signal('SIGKILL')
  options.signal?.addEventListener('abort', abort)
  const status = await child.exited
  options.signal?.removeEventListener('abort', abort)
  options.signal?.throwIfAborted()
  if (status.code !== 0) throw new Error(`${name} failed (${describeExit(status)})${saidLast(child)}`)
  return output.join('\n')
}

const TELLING = /no space left|free disk space|\b(?:PANIC|FATAL|ERROR)\b|\berror:|\[(?:FTL|ERR)\]/i

/**
 * Returns the child's last output as the end of a one-line sentence; empty if there was no output. Lines that mention
 * an error are preferred, because the lines after an error often only report the cleaning up.
 */
export function saidLast(child: Child): string {
  const lines = child
    .lastLines()
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const telling = lines.filter((line) => TELLING.test(line))
  const chosen = (telling.length > 0 ? telling : lines).slice(-QUOTED_LINES)
  return chosen.length === 0 ? '' : `: ${chosen.join(' | ')}`
}
