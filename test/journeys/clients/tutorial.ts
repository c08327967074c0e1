/**
 * The tutorial, from its page of the documentation, in each of its languages: every command in a shell, every file under its name, in a
 * new home folder. The stack of the tests replaces the first command, with its own port. What the reader installs is made by `npm` and by
 * `pip` only in a deep run, and then without their registries.
 */

import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startChild } from '@financial-agents/servers/child-process'
import { say } from '@financial-agents/servers/say'
import { isDeep } from '@financial-agents/testkit/deep'
import { keepSite } from '@financial-agents/testkit/keep-site'
import { type HTMLElement, parse } from 'node-html-parser'
import { beforeAll, expect, test } from 'vitest'
import { readerOf, walkerOf } from '../client/owner-flow.ts'
import { packageFolder as typescriptFolder } from '../client/packed.ts'
import { type Installed, installClient, packageFolder as pythonFolder } from '../client-python/installed.ts'
import { provider, stack } from './stack.ts'

const root = join(import.meta.dirname, '../../..')
const startsStack = 'npx -y pnpm@12 dev --enable transfers.execute'

type Block = { file: string | undefined; text: string }

/** A language of the page, and the client that was installed for the tests. */
type Language = { name: 'typescript' } | { name: 'python'; installed: Exclude<Installed, { missing: string }> }

/** The code blocks that a reader of this language sees, as their copy buttons give them. */
function blocksOf(page: HTMLElement, { name }: Language): Block[] {
  const other = name === 'python' ? '.in-typescript' : '.in-python'
  const figures = page.querySelectorAll('.expressive-code figure').filter((figure) => figure.closest(other) === null)
  return figures.map((figure) => ({
    file: figure.querySelector('.title')?.textContent.trim() || undefined,
    text: (figure.querySelector('button[data-code]')?.getAttribute('data-code') ?? '').replaceAll('\u007f', '\n'),
  }))
}

/** Runs it; returns what the program printed last at its first and second run. */
async function runTutorial(page: HTMLElement, language: Language): Promise<{ first: string; second: string }> {
  const [start, ...blocks] = blocksOf(page, language)
  expect(start?.text).toBe(startsStack)
  const home = await mkdtemp(join(tmpdir(), 'financial-agents-tutorial-'))
  try {
    const env = { HOME: home, ...(await (isDeep ? withoutRegistry(home, language) : alreadyInstalled(home, language))) }
    const outputs: string[] = []
    let cwd = root
    for (const { file, text } of blocks) {
      const block = text.replaceAll('http://127.0.0.1:8080', stack.baseUrl)
      if (file) await writeFile(join(cwd, file), block)
      else ({ cwd } = await runBlock(block, { cwd, env, outputs }))
    }
    const [first = '', second = ''] = outputs.filter((line) => /^(?:succeeded|failed|indeterminate)/.test(line))
    return { first, second }
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

type Terminal = { cwd: string; env: Record<string, string>; outputs: string[] }

/** Runs the lines in one shell; returns the folder in which it ends. The owner opens the page that is printed. */
async function runBlock(lines: string, { cwd, env, outputs }: Terminal): Promise<{ cwd: string }> {
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
    const constraints = join(pythonFolder, 'constraints.txt')
    const pip = { PIP_NO_INDEX: '1', PIP_FIND_LINKS: language.installed.packages, PIP_CONSTRAINT: constraints }
    return { PATH: process.env['PATH'] ?? '', PYTHONUNBUFFERED: '1', ...pip }
  }
  const dependency = fileURLToPath(import.meta.resolve('oauth4webapi')).split('/build/')[0]
  return {
    PATH: await replace(home, 'npm', [
      `if [ "$1" != install ]; then PATH="${usualPath}" exec npm "$@"; fi`,
      'mkdir -p node_modules/@financial-agents/client',
      'tar -xzf "$2" -C node_modules/@financial-agents/client --strip-components=1',
      `ln -s "${dependency}" node_modules/oauth4webapi`,
    ]),
  }
}

/** The variables of a shell in which installing is quick: the client's sources for Node, the tests' environment for Python. */
async function alreadyInstalled(home: string, language: Language): Promise<Record<string, string>> {
  if (language.name === 'typescript') {
    const PATH = await replace(home, 'npm', [
      '[ "$1" = pack ] && [ -f "$2/package.json" ] && exit',
      'mkdir -p node_modules/@financial-agents',
      `ln -s "${typescriptFolder}" node_modules/@financial-agents/client`,
    ])
    return { PATH, NODE_OPTIONS: '--conditions=@financial-agents/source' }
  }
  const environment = join(home, 'environment')
  await cp(dirname(dirname(language.installed.python)), environment, { recursive: true, verbatimSymlinks: true })
  await writeFile(join(environment, 'bin/pip'), '#!/bin/sh\nset -e\n[ "$1" = install ] && [ -f "$2/pyproject.toml" ]\n')
  await chmod(join(environment, 'bin/pip'), 0o755)
  const PATH = await replace(home, 'python3', ['[ "$1 $2" = "-m venv" ]', `mv "${environment}" "$3"`])
  return { PATH, PYTHONUNBUFFERED: '1' }
}

const usualPath = `${dirname(process.execPath)}:${process.env['PATH']}`

/** Puts a script in the place of a command; returns the search path. */
async function replace(home: string, command: string, lines: readonly string[]): Promise<string> {
  const bin = join(home, 'bin')
  await mkdir(bin, { recursive: true })
  await writeFile(join(bin, command), ['#!/bin/sh', 'set -e', ...lines, ''].join('\n'))
  await chmod(join(bin, command), 0o755)
  return `${bin}:${usualPath}`
}

export function tutorial(): void {
  let page: HTMLElement
  beforeAll(async () => {
    const site = await keepSite({ log: say })
    page = parse(await readFile(join(site, 'tutorials/first-payment/index.html'), 'utf8'))
  })

  async function follow(language: Language): Promise<void> {
    const { first, second } = await runTutorial(page, language)
    expect(first).toMatch(/^succeeded [0-9a-f-]{36}$/)
    expect(second).toBe(first)
    // Both languages use the same intents, so the second language finds the same payment.
    expect(await provider.ledger(first.split(' ')[1])).toHaveLength(1)
  }

  test('works line by line in TypeScript', () => follow({ name: 'typescript' }))

  test('works line by line in Python', async ({ skip }) => {
    const installed = await installClient()
    skip(installed.missing !== undefined, installed.missing)
    if (installed.missing === undefined) await follow({ name: 'python', installed })
  })
}
