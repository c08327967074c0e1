/**
 * The sandbox for tests of a client: starts the program, and resolves with its addresses and controls. The program ends with
 * the process that started it.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

export type SandboxOptions = {
  /** The port of the API; a free one if absent. */
  port?: number
  /** Capabilities to turn on, for example `transfers.execute`. */
  enable?: readonly string[]
  /** False: nobody opens the owner's pages. True by default. */
  ownerConsents?: boolean
}

/** A registered client. */
export type SandboxClient = {
  client_id: string
  profile: 'web' | 'spa' | 'native' | 'device' | 'service'
  /** The file with its private JWK; null for a public client. */
  private_key_file: string | null
}

/** A mutation that reached the provider. Its `client_reference` is the id of the operation. */
export type LedgerEntry = {
  sequence: number
  received_at: string
  kind: string
  client_reference: string | null
  test_user: string | null
  outcome: string
  body_sha256: string
}

/** A fault of the provider. */
export type Fault = {
  /** The kind of call, such as `transfer`; every instruction if absent. */
  kind?: string
  /** The person whom the instruction names. */
  name?: string
  /** The number of calls that have it: 1 if absent. */
  times?: number
  /** The options of the fault, for example `{ delay_ms: 1000 }`; the fake provider's page lists them. */
  options?: Readonly<Record<string, unknown>>
}

export type Sandbox = {
  baseUrl: string
  /** The address of the fake provider. */
  providerUrl: string
  clients: SandboxClient[]
  /** Every instruction that reached the provider, oldest first. */
  ledger(): Promise<LedgerEntry[]>
  /** Orders a fault of the provider. @throws Error that lists the faults or kinds, if there is none of this name */
  trigger(fault: string, match?: Fault): Promise<void>
  /** Moves the clock of the API and of the provider together. Resolves with the time that they show. */
  advanceClock(byMs: number): Promise<Date>
  /** Adds a client, as an operator registers it. @throws Error that says what is wrong with it */
  registerClient(registration: { client_id: string } & Readonly<Record<string, unknown>>): Promise<void>
  /** Lets the owner open a page that no answer of the API shows, such as the address of an authorization request. */
  open(url: string, code?: string): Promise<void>
  /** Brings everything back to the start: data, faults, ledger and clock. Clients that were registered stay. */
  reset(): Promise<void>
  /** Ends the program. May be called more than once. */
  stop(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

type Described = { base_url: string; provider_url: string; control_url: string; clients: SandboxClient[] }

/** @throws Error in one line that says what is missing */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { port = 0, enable = [], ownerConsents = true } = options
  const args = ['--json', '--port', String(port), '--enable', enable.join(',')]
  const program = fileURLToPath(new URL('main.js', import.meta.url))
  const child = spawn(process.execPath, [program, ...args, ...(ownerConsents ? ['--owner-consents'] : [])], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const failed = text(child.stderr)
  const first = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), once(child, 'exit')])
  if (typeof first[0] !== 'string') throw new Error((await failed).trim() || 'the sandbox did not start')
  const { base_url: baseUrl, provider_url: providerUrl, control_url, clients } = JSON.parse(first[0]) as Described
  const stop = () => end(child)
  return {
    baseUrl,
    providerUrl,
    clients,
    ledger: async () => ((await ask('GET', `${providerUrl}/control/ledger`)) as { entries: LedgerEntry[] }).entries,
    trigger: async (script, { kind, name, times = 1, options: details = {} } = {}) => {
      const match = { ...(kind !== undefined && { kind }), ...(name !== undefined && { name }) }
      await ask('POST', `${providerUrl}/control/faults`, { script, match, times, options: details })
    },
    advanceClock: async (advance_ms) => {
      const { now } = (await ask('POST', `${control_url}/clock`, { advance_ms })) as { now: string }
      return new Date(now)
    },
    registerClient: async (registration) => void (await ask('POST', `${control_url}/clients`, registration)),
    open: async (url, code) =>
      void (await ask('POST', `${control_url}/owner`, { url, ...(code !== undefined && { code }) })),
    reset: async () => void (await ask('POST', `${control_url}/reset`)),
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

async function ask(method: string, url: string, body?: object): Promise<unknown> {
  const answer = await fetch(url, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
  const given = (await answer.json()) as { error?: string | { code: string; where?: { message: string }[] } }
  if (answer.ok) return given
  const { error } = given
  if (typeof error === 'string') throw new Error(error)
  throw new Error(error?.where?.map(({ message }) => message).join('; ') ?? error?.code ?? `${url}: ${answer.status}`)
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}
