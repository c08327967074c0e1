/**
 * The command `interop`: the published client on several runtimes, and clients of the document in several languages.
 * Each makes a signed read, a keyed write and a request that is refused, against a stack. A client that needs a program
 * which the machine does not have is skipped and counted. If Go is installed, oasdiff also looks for breaking changes
 * since the released document.
 */

import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineCommand, UsageError } from '@financial-agents/runtime/command'
import { runCommand } from '@financial-agents/runtime/program'
import { removeStackFolder, type Stack, startStack } from '@financial-agents/testkit/stack'
import { type Generator, generators } from './languages.ts'
import { oasdiff } from './oasdiff.ts'
import { has } from './run.ts'
import { runtimes } from './runtimes.ts'
import { validate } from './session.ts'

const generated = join(import.meta.dirname, '../../libs/api/contract/generated')
const documents = { whole: 'openapi.json', 'without-webhooks': 'openapi-without-webhooks.json' }
type Variant = keyof typeof documents

export const command = defineCommand({
  summary:
    'make signed requests with the published client on several runtimes, and with clients generated in several languages',
  usage: [
    ['interop', 'all generators whose programs the machine has; the document without webhooks'],
    ['interop --only <text>', 'generators whose name contains the text'],
    [
      'interop --document whole',
      'the document with its webhooks, of which oapi-codegen and typescript-fetch make nothing',
    ],
  ],
  options: { only: { type: 'string', default: '' }, document: { type: 'string', default: 'without-webhooks' } },
  run: async ({ values }) => {
    const wanted = [...runtimes, ...generators].filter(({ name }) => name.includes(values.only))
    if (wanted.length === 0) throw new UsageError(`--only ${values.only}: give a part of a generator's name`)
    if (!(values.document in documents)) throw new UsageError(`--document: give ${Object.keys(documents).join(' or ')}`)
    const document = join(generated, documents[values.document as Variant])
    return withStack((stack, folder) => tryAll(wanted, { stack, folder, document }))
  },
})

async function withStack<Result>(use: (stack: Stack, folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'financial-agents-interop-'))
  const stackFolder = join(folder, 'stack')
  const stack = await startStack({ folder: stackFolder, log: () => {} })
  const stop = async () => {
    await stack.stop()
    await removeStackFolder(stackFolder)
    await rm(folder, { recursive: true, force: true })
  }
  // An interrupted run leaves nothing behind.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void stop().finally(() => process.exit(1)))
  try {
    return await use(stack, folder)
  } finally {
    await stop()
  }
}

type Attempt = { stack: Stack; folder: string; document: string }

async function tryAll(wanted: readonly Generator[], given: Attempt): Promise<undefined> {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  const attempts = wanted.map((generator) => ({
    name: generator.name,
    needs: generator.needs,
    attempt: async (folder: string) => validate(given.stack, await generator.build(folder, given.document)),
  }))
  for (const { name, needs, attempt } of [...attempts, oasdiff]) {
    const result = await resultOf(needs, join(given.folder, name.replaceAll(/\W+/g, '-')), attempt)
    counts[result.as] += 1
    process.stdout.write(`${result.as.padEnd(8)} ${name}${result.why}\n`)
  }
  process.stdout.write(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`)
  if (counts.failed > 0) process.exitCode = 1
}

type Result = { as: 'passed' | 'failed' | 'skipped'; why: string }

async function resultOf(
  needs: Generator['needs'],
  folder: string,
  attempt: (folder: string) => Promise<void>,
): Promise<Result> {
  for (const [program, versionOption] of needs)
    if (!(await has(program, versionOption))) return { as: 'skipped', why: `: there is no ${program}` }
  await mkdir(folder, { recursive: true })
  const startedMs = performance.now()
  try {
    await attempt(folder)
    return { as: 'passed', why: ` (${Math.round((performance.now() - startedMs) / 1_000)} s)` }
  } catch (error) {
    return { as: 'failed', why: `: ${error instanceof Error ? error.message : String(error)}` }
  }
}

if (import.meta.main) runCommand('interop', command)
