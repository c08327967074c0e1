/**
 * The command `dev`: starts the whole system on this machine, goes through one write, and runs until Ctrl-C. It leaves
 * nothing behind that it started.
 */

import { rm, symlink, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { defineCommand } from '@financial-agents/runtime/command'
import { runCommand } from '@financial-agents/runtime/program'
import { endWithParent } from '@financial-agents/servers/end-with-parent'
import { flow } from '@financial-agents/testkit/flow'
import { keepSite } from '@financial-agents/testkit/keep-site'
import { prepareStacks } from '@financial-agents/testkit/prepare-stacks'
import { root, systemModule } from '@financial-agents/testkit/programs'
import { openSandbox } from '@financial-agents/testkit/sandbox'
import { capabilitiesOf, enableMeaning, ownerMeaning, portOf } from '@financial-agents/testkit/sandbox-options'
import type { Stack } from '@financial-agents/testkit/stack'
import { type System } from '@financial-agents/testkit/system'
import { takeFolder } from './dev-folder.ts'
import { reportOf } from './dev-report.ts'

export const command = defineCommand({
  summary: 'start the whole system, run the first writes, stay up until Ctrl-C',
  usage: [['dev', 'the API on http://127.0.0.1:8080; the data is gone when it stops']],
  optionMeanings: [
    ['--port <n>', 'another port for the API (8080)'],
    ['--no-flow', 'start without a write'],
    ['--sources', 'start the sources, slower, so that stack traces name their lines'],
    enableMeaning,
    ownerMeaning,
  ],
  options: {
    port: { type: 'string', default: '8080' },
    'no-flow': { type: 'boolean', default: false },
    sources: { type: 'boolean', default: false },
    enable: { type: 'string', default: '' },
    'owner-consents': { type: 'boolean', default: false },
  },
  run: async ({ values }) => {
    const { port, 'no-flow': noFlow, enable, sources, 'owner-consents': ownerConsents } = values
    await dev({ port: portOf(port), flows: !noFlow, enabled: capabilitiesOf(enable), sources, ownerConsents })
    return undefined
  },
})

type Options = { port: number; flows: boolean; enabled: string[]; sources: boolean; ownerConsents: boolean }

async function dev({ port, flows, enabled, sources, ownerConsents }: Options): Promise<void> {
  const startedAt = performance.now()
  const abort = new AbortController()
  const interrupted = new Promise<void>((settle) => {
    const stop = () => {
      abort.abort(new Error('interrupted'))
      settle()
    }
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop)
  })
  const folder = await takeFolder(root, port)
  try {
    say(`Starting on http://127.0.0.1:${port}`)
    const log = (line: string) => say(`  ${line}`)
    const documentation = join(folder, 'documentation')
    const prepared = sources ? undefined : await prepareStacks({ log, signal: abort.signal, processes: false })
    const { stack, described, stop } = await openSandbox({
      system: await loadSystem(prepared?.system),
      ...(prepared?.database && { database: prepared.database }),
      ownerConsents,
      folder,
      port,
      enabledCapabilities: enabled,
      environment: { gateway: { DOCUMENTATION_FOLDER: documentation } },
      log,
      signal: abort.signal,
    })
    try {
      await writeFile(join(folder, 'stack.json'), `${JSON.stringify(described, null, 2)}\n`, { mode: 0o600 })
      const shown = relative(root, folder)
      say(`Ready in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`)
      for (const line of reportOf(stack, shown, shown === '.dev')) say(line)
      void provideDocumentation(documentation, abort.signal)
      if (flows && !abort.signal.aborted) await Promise.race([flowThrough(stack, enabled), interrupted])
      if (!abort.signal.aborted) say('\nUp. Ctrl-C stops everything.')
      await interrupted
      say('Stopping')
    } finally {
      await stop()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Loads the services: the bundle in this folder, or their sources. */
async function loadSystem(folder: string | undefined): Promise<System> {
  if (folder === undefined) return (await import('@financial-agents/testkit/system-sources')).system
  return ((await import(join(folder, systemModule))) as { system: System }).system
}

/** Links the built site into the folder in which the gateway looks for it. A failed build ends nothing else. */
async function provideDocumentation(link: string, signal: AbortSignal): Promise<void> {
  try {
    await symlink(await keepSite({ log: () => {}, signal }), link)
  } catch (error) {
    if (!signal.aborted)
      say(`The documentation is not built: ${error instanceof Error ? error.message : String(error)}`)
  }
}

async function flowThrough(stack: Stack, enabled: readonly string[]): Promise<void> {
  say("\nA client's first writes")
  await flow(stack, { pays: enabled.includes('transfers.execute') }, (line) => say(`  ${line}`))
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

if (import.meta.main) {
  endWithParent()
  runCommand('dev', command)
}
