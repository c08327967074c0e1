/**
 * The program of the published sandbox: starts the whole system in this process, and runs until Ctrl-C or SIGTERM, or until the
 * program that started it has ended. It leaves nothing behind. It is bundled together with the services.
 */

import { mkdtemp, rm } from 'node:fs/promises'
import { flushCompileCache } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type Command, defineCommand, linesOf } from '@financial-agents/runtime/command'
import { runCommand } from '@financial-agents/runtime/program'
import { hashOf } from '@financial-agents/servers/cache'
import { endWithParent } from '@financial-agents/servers/end-with-parent'
import { getFreePort } from '@financial-agents/servers/ports'
import { keepDatabase } from '@financial-agents/testkit/keep-database'
import { openSandbox, type Sandbox } from '@financial-agents/testkit/sandbox'
import { capabilitiesOf, enableMeaning, ownerMeaning, portOf } from '@financial-agents/testkit/sandbox-options'
import { firstClientId } from '@financial-agents/testkit/seed-clients'
import type { System } from '@financial-agents/testkit/system'

/** A start is then complete, and what it compiled is kept for the next one. */
const keepCompiledAfterMs = 2_000

/** @param bundle the file with all services, of which the kept data are a part */
export function run(system: System, bundle: string): void {
  endWithParent()
  runCommand('sandbox', commandOf(system, bundle), 'npx')
}

function commandOf(system: System, bundle: string): Command {
  return defineCommand({
    summary: 'start the whole system with a fake provider, stay up until Ctrl-C or SIGTERM',
    usage: [['@financial-agents/sandbox', 'the API on http://127.0.0.1:8080; the data is gone when it stops']],
    optionMeanings: [
      ['--port <n>', 'another port for the API (8080); 0: a free one'],
      enableMeaning,
      ownerMeaning,
      ['--json', 'print one line of JSON, once everything is ready: the addresses and the clients'],
    ],
    options: {
      port: { type: 'string', default: '8080' },
      enable: { type: 'string', default: '' },
      'owner-consents': { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
    run: async ({ values: { port, enable, json, 'owner-consents': ownerConsents } }) => {
      const given = { port: portOf(port, 0), enabledCapabilities: capabilitiesOf(enable), ownerConsents }
      await stayUp(system, bundle, given, json)
      return undefined
    },
  })
}

type Given = { port: number; enabledCapabilities: string[]; ownerConsents: boolean }

async function stayUp(system: System, bundle: string, given: Given, json: boolean): Promise<void> {
  const abort = new AbortController()
  const ended = new Promise<void>((settle) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.on(signal, () => {
        abort.abort(new Error('interrupted'))
        settle()
      })
  })
  const log = (line: string) => {
    if (!json) process.stdout.write(`  ${line}\n`)
  }
  // No exporter of the machine is meant for a sandbox.
  for (const name of Object.keys(process.env)) if (name.startsWith('OTEL_')) delete process.env[name]
  const folder = await mkdtemp(join(tmpdir(), 'financial-agents-sandbox-'))
  try {
    const database = await keepDatabase({
      keyFor: (server) => hashOf(join(bundle, '..'), [basename(bundle)], [server]),
      migrate: (service, environment) => system.call(service, ['migrate'], environment),
      // The package brings one, which is the same everywhere.
      sources: ['npm', 'path'],
      log,
      signal: abort.signal,
    })
    const sandbox = await openSandbox({
      ...given,
      system,
      port: given.port === 0 ? await getFreePort() : given.port,
      ...(database && { database }),
      postgresSources: ['path', 'npm'],
      natsSources: ['path', 'cache', 'debian', 'go'],
      folder,
      log,
      signal: abort.signal,
    })
    try {
      process.stdout.write(json ? `${JSON.stringify(sandbox.described)}\n` : reportOf(sandbox, folder))
      setTimeout(() => flushCompileCache(), keepCompiledAfterMs).unref()
      await ended
    } finally {
      await sandbox.stop()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function reportOf({ described }: Sandbox, folder: string): string {
  const { base_url, provider_url } = described
  const rows = [
    [base_url, 'the API'],
    [firstClientId, 'a client id with every scope: it signs in as a device and needs no key'],
    [`npx financial-agents init --provider-url ${provider_url}`, 'a client of your own, and its first payment'],
    [`${base_url}/account`, "the owner's page"],
    [provider_url, 'the fake provider'],
    [join(folder, 'logs'), 'a log of each service'],
  ]
  return `${['', ...linesOf(rows), '', 'Up. Ctrl-C stops everything.'].join('\n')}\n`
}
