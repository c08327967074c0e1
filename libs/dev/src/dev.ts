/**
 * `pnpm dev`: starts the whole system on this machine, walks through one write, and runs until Ctrl-C. Every failure is
 * one line and exit code 1.
 */

import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Stack, startStack } from '@financial-agents/testkit/stack'
import { walk } from '@financial-agents/testkit/walk'

const folder = join(import.meta.dirname, '../../../.dev')
const capabilities = ['transfers.execute', 'cards.reveal']

const usage = `pnpm dev [--port 8080] [--no-walk] [--enable ${capabilities.join(',')}]`

type Options = { port: number; walk: boolean; enable: string[] }

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '8080' },
      'no-walk': { type: 'boolean', default: false },
      enable: { type: 'string', default: '' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    say(usage)
    process.exit(0)
  }
  const port = Number(values.port)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Error(`--port ${values.port}: give 1 to 65535`)
  const enable = values.enable.split(',').filter((name) => name !== '')
  const unknown = enable.find((name) => !capabilities.includes(name))
  if (unknown !== undefined) throw new Error(`--enable ${unknown}: give any of ${capabilities.join(', ')}`)
  return { port, walk: !values['no-walk'], enable }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

function sayWhereToLook(baseUrl: string): void {
  say('to look at, in a browser and another terminal:')
  say(`  reference      ${baseUrl}/docs`)
  say(`  account page   ${baseUrl}/account`)
  say(`  device codes   ${baseUrl}/device`)
  say(`  operators      ${baseUrl}/ops   as Marta Vidal, who may look, or Jonas Brandt, who may also suspend`)
  say("  sign-in        at the fake provider's page, as one of its four people: it asks who you are")
  say('  applications   npx -y pnpm@12 sign-in            one on this machine that asks for your consent')
  say('                 npx -y pnpm@12 sign-in --device   one elsewhere that shows a code')
  say('up; Ctrl-C stops everything')
}

/** The content of stack.json. */
function described({ baseUrl, providerUrl, identityProviderUrl, clients }: Stack) {
  return { base_url: baseUrl, provider_url: providerUrl, identity_provider_url: identityProviderUrl, clients }
}

async function main(): Promise<void> {
  const options = readOptions()
  const startedAt = performance.now()
  const abort = new AbortController()
  const interrupted = new Promise<void>((resolve) => {
    const stop = () => {
      abort.abort(new Error('interrupted'))
      resolve()
    }
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop)
  })
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const stack = await startStack({
    folder,
    port: options.port,
    enabledCapabilities: options.enable,
    log: (line) => say(`  ${line}`),
    signal: abort.signal,
  })
  try {
    await writeFile(join(folder, 'stack.json'), `${JSON.stringify(described(stack), null, 2)}\n`, { mode: 0o600 })
    say(`ready in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`)
    say(`  gateway        ${stack.baseUrl}`)
    say(`  fake provider  ${stack.providerUrl}`)
    say(`  fake identity  ${stack.identityProviderUrl}`)
    say('  clients, keys  .dev/stack.json')
    say('  logs           .dev/logs/')
    if (options.walk && !abort.signal.aborted) await Promise.race([walk(stack, say), interrupted])
    if (!abort.signal.aborted) sayWhereToLook(stack.baseUrl)
    await interrupted
    say('stopping')
  } finally {
    await stack.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

try {
  await main()
  process.exit(0)
} catch (error) {
  const lines = (error instanceof Error ? error.message : String(error)).split('\n')
  process.stderr.write(`pnpm dev: ${lines[0]}\n`)
  process.exit(1)
}
