/**
 * The packed command line, unpacked into an empty folder: by pipes, and in a pseudo-terminal. `run` runs the sources in this process
 * instead, over the same files, because a process for each command takes most of the time.
 */

import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { type Child, startChild } from '@financial-agents/servers/child-process'
import { compileCache } from '@financial-agents/testkit/compile-cache'
import { type IPty, spawn } from '@lydell/node-pty'
import { expect } from 'vitest'
import { type Ended, runInProcess, type Situation } from '../../../libs/clients/cli/src/in-process.test-helper.ts'
import { folderOf, pack } from '../client/packed.ts'

/** A program in a pseudo-terminal. */
export type Terminal = {
  /** Everything that it wrote, without colours and movements. */
  text(): string
  /** Everything that it wrote, as it wrote it. */
  raw(): string
  shows(words: string | RegExp): Promise<void>
  type(keys: string): void
  exited: Promise<number>
}

type Options = { env?: Record<string, string>; onLine?: Situation['onLine']; retryForMs?: number }

export type Program = {
  /** The folder of the unpacked package. */
  folder: string
  /** A folder with the command `financial-agents`. */
  bin: string
  /** The folder of the files that it keeps. */
  home: string
  env: Record<string, string>
  /** Runs a command line in this process. */
  run(args: readonly string[], options?: Options): Promise<Ended>
  /** Runs a command line as a process, to its end. */
  launch(args: readonly string[], options?: Pick<Options, 'env'>): Promise<Ended>
  start(args: readonly string[], options?: Options): Promise<Child>
  inTerminal(args: readonly string[], options?: Options): Terminal
  /** Runs another program in a pseudo-terminal, for example a shell. */
  terminal(command: string, args: readonly string[], options?: Options): Terminal
  close(): Promise<void>
}

/** `env` is the program's whole environment, apart from what it needs to run here. */
export async function unpackProgram(env: Record<string, string> = {}): Promise<Program> {
  const tarball = await pack(join(import.meta.dirname, '../../../libs/clients/cli'))
  const place = await mkdtemp(join(tmpdir(), 'financial-agents-cli-'))
  const [folder, bin, home] = ['package', 'bin', 'home'].map((name) => join(place, name)) as [string, string, string]
  await mkdir(bin)
  await ended('tar', ['-xzf', tarball, '-C', place])
  const file = join(folder, 'dist/financial-agents.js')
  await symlink(file, join(bin, 'financial-agents'))
  await rm(folderOf(tarball), { recursive: true })
  const own = {
    PATH: [bin, join(process.execPath, '..'), process.env['PATH']].join(delimiter),
    HOME: place,
    FINANCIAL_AGENTS_HOME: home,
    // The tests do not touch the user's own keychain.
    FINANCIAL_AGENTS_KEYCHAIN: 'off',
    ...compileCache,
    ...env,
  }
  const terminals = new Set<IPty>()
  const terminal: Program['terminal'] = (command, args, options = {}) => {
    const opened = spawn(command, [...args], {
      cols: 120,
      rows: 40,
      cwd: place,
      env: { ...own, TERM: 'xterm-256color', ...options.env },
    })
    terminals.add(opened)
    return terminalOf(opened, () => terminals.delete(opened))
  }
  return {
    folder,
    bin,
    home,
    env: own,
    run: (args, { env: more, ...situation } = {}) => runInProcess(args, { ...own, ...more }, situation),
    launch: (args, { env: more } = {}) =>
      ended(process.execPath, [file, ...args], { cwd: place, env: { ...own, ...more } }),
    start: (args, { env: more, onLine } = {}) =>
      startChild('financial-agents', process.execPath, [file, ...args], {
        cwd: place,
        env: { ...own, ...more },
        ...(onLine && { onLine }),
      }),
    inTerminal: (args, options) => terminal(process.execPath, [file, ...args], options),
    terminal,
    close: async () => {
      for (const opened of terminals) opened.kill('SIGKILL')
      await rm(place, { recursive: true })
    },
  }
}

function ended(command: string, args: readonly string[], options: object = {}): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = execFile(command, args, { ...options, encoding: 'utf8' }, (error, stdout, stderr) => {
      if (error && typeof error.code !== 'number') reject(error)
      else resolve({ code: Number(error?.code ?? 0), stdout, stderr })
    })
    child.stdin?.end()
  })
}

function terminalOf(opened: IPty, forget: () => void): Terminal {
  let raw = ''
  opened.onData((text) => {
    raw += text
  })
  const exited = new Promise<number>((resolve) => {
    opened.onExit(({ exitCode }) => {
      forget()
      resolve(exitCode)
    })
  })
  const text = () => stripVTControlCharacters(raw).replaceAll('\r', '')
  return {
    text,
    raw: () => raw,
    shows: (words) => expect.poll(text).toMatch(words),
    type: (keys) => opened.write(keys),
    exited,
  }
}
