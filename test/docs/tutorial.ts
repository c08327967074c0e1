/**
 * Runs the tutorial from its page in one of its languages: every command in a shell, every file under its name, in a
 * new home folder. Two parts are replaced. The stack of the tests replaces the first command, with its own port. For
 * `npm install`, a script unpacks the tarball, and for `pip`, a folder of wheels takes the place of the registry.
 */

import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startChild } from '@financial-agents/servers/child-process'
import type { HTMLElement } from 'node-html-parser'
import { expect } from 'vitest'
import { readerOf, walkerOf } from '../journeys/client/owner-flow.ts'
import { providerOf, type TestStack } from '../stack.test-helper.ts'

const root = join(import.meta.dirname, '../..')
const startsStack = 'npx -y pnpm@12 dev --enable transfers.execute'

type Block = { file: string | undefined; text: string }

/** A language of the page, and what it needs in place of its registry. */
export type Language =
  | { name: 'typescript' }
  /** The folder has the wheels that pip would download. */
  | { name: 'python'; packages: string; constraints: string }

/** The code blocks that a reader of this language sees, as their copy buttons give them. */
function blocksOf(page: HTMLElement, { name }: Language): Block[] {
  const other = name === 'python' ? '.in-typescript' : '.in-python'
  const figures = page.querySelectorAll('.expressive-code figure').filter((figure) => figure.closest(other) === null)
  return figures.map((figure) => ({
    file: figure.querySelector('.title')?.textContent.trim() || undefined,
    text: (figure.querySelector('button[data-code]')?.getAttribute('data-code') ?? '').replaceAll('\u007f', '\n'),
  }))
}

/** Runs it; returns what the program printed last at its first and second run, and the number of submitted payments. */
export async function runTutorial(
  page: HTMLElement,
  stack: TestStack,
  language: Language,
): Promise<{ first: string; second: string; submitted: number }> {
  const [start, ...blocks] = blocksOf(page, language)
  expect(start?.text).toBe(startsStack)
  const home = await mkdtemp(join(tmpdir(), 'financial-agents-tutorial-'))
  try {
    const env = { HOME: home, ...(await withoutRegistry(home, language)) }
    const outputs: string[] = []
    let cwd = root
    for (const { file, text } of blocks) {
      const block = text.replaceAll('http://127.0.0.1:8080', stack.baseUrl)
      if (file) await writeFile(join(cwd, file), block)
      else ({ cwd } = await runBlock(block, { cwd, env, stack, outputs }))
    }
    const [first = '', second = ''] = outputs.filter((line) => /^(?:succeeded|failed|indeterminate)/.test(line))
    const ledger = await providerOf(stack).ledger()
    return { first, second, submitted: ledger.filter(({ kind }) => kind === 'transfer').length }
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

type Terminal = { cwd: string; env: Record<string, string>; stack: TestStack; outputs: string[] }

/** Runs the lines in one shell; returns the folder in which it ends. The owner opens the page that is printed. */
async function runBlock(lines: string, { cwd, env, stack, outputs }: Terminal): Promise<{ cwd: string }> {
  const read = readerOf(/^Open (\S+)/, walkerOf(stack, 'ines').open)
  const child = await startChild('tutorial', 'sh', ['-ec', `${lines}\necho "now in $PWD"`], {
    cwd,
    env,
    onLine: (line) => {
      outputs.push(line)
      read(line)
    },
  })
  const { code } = await child.exited
  expect(code, `${lines}\n${outputs.join('\n')}`).toBe(0)
  return { cwd: /^now in (.+)$/.exec(outputs.at(-1) ?? '')?.[1] ?? cwd }
}

/**
 * The variables of a shell in which nothing asks a registry. `npm install <tarball>` unpacks the tarball with its one dependency beside
 * it. Python's output is read from a pipe, and has to come line by line as in a terminal.
 */
async function withoutRegistry(home: string, language: Language): Promise<Record<string, string>> {
  if (language.name === 'python') {
    const { packages, constraints } = language
    const pip = { PIP_NO_INDEX: '1', PIP_FIND_LINKS: packages, PIP_CONSTRAINT: constraints }
    return { PATH: process.env['PATH'] ?? '', PYTHONUNBUFFERED: '1', ...pip }
  }
  const bin = join(home, 'bin')
  await mkdir(bin)
  const dependency = fileURLToPath(import.meta.resolve('oauth4webapi')).split('/build/')[0]
  const rest = `${dirname(process.execPath)}:${process.env['PATH']}`
  const script = `#!/bin/sh
set -e
if [ "$1" != install ]; then PATH="${rest}" exec npm "$@"; fi
mkdir -p node_modules/@financial-agents/client
tar -xzf "$2" -C node_modules/@financial-agents/client --strip-components=1
ln -s "${dependency}" node_modules/oauth4webapi
`
  await writeFile(join(bin, 'npm'), script)
  await chmod(join(bin, 'npm'), 0o755)
  return { PATH: `${bin}:${rest}` }
}
