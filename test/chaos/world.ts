/**
 * The surroundings of the runs: one stack for all of them, its database with an administrator's access, the provider's
 * control, the people and their clients, and the book of the clients' answers.
 */

import { randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Bus, connectBus } from '@financial-agents/bus/connect'
import { newContext } from '@financial-agents/bus/headers'
import { call } from '@financial-agents/bus/rpc'
import { createLog } from '@financial-agents/runtime/log'
import { type ApiClient, createServiceClient } from '@financial-agents/testkit/client'
import { type Seed, writeClientKey } from '@financial-agents/testkit/seed'
import { type ServiceName, serviceNames } from '@financial-agents/testkit/stack-services'
import pg from 'pg'
import { parse, stringify } from 'yaml'
import { clientOf, startTestStack, type TestStack, usualDeadline } from '../stack.test-helper.ts'
import { type Book, createBook } from './book.ts'
import { type Party, type Payer } from './parties.ts'
import { type ChosenProvider, chooseProvider, type ProviderName, type ProviderOfWorld } from './provider.ts'
import type { Random } from './random.ts'

export type World = {
  stack: TestStack
  provider: ProviderOfWorld
  database: pg.Pool
  /** Connected as authz. The owner's confirmations go through it. */
  bus: Bus
  book: Book
  random: Random
  /** The provider never asks her to approve. */
  amara: Payer
  /** The provider asks her to approve every mandate and each withdrawal of her amount. */
  ines: Payer
  /** Amara with another client, which may pay at most `ceiling` a day. */
  bounded: Payer
  /** Owners whose connections may be ended. */
  leavers: Map<string, Party>
  /** Resources for the runs, by their state. */
  stock: Map<string, string[]>
  kills: number
  close(): Promise<void>
}

const pausesOfAreas = { BACKGROUND_JOB_PAUSE_MS: '200', DRAFT_DECIDE_AFTER_MS: '800', PENDING_PULL_AFTER_MS: '1000' }
const agentScopes =
  'beneficiaries:read beneficiaries:write operations:read authorization:read services:read cards:read cards:manage spending:withdraw'
const leaverScopes = 'services:read operations:read kyc:read'
/** A whole matrix ends and verifies more connections than the sample of `test`. */
const leaverCounts = { matrix: 60, sample: 20 }

/** The bounded client's daily limit, in Amara's currency. */
export const ceiling = 100
const boundedClient = 'amara-bounded'

/** A declared client that sends nothing. */
export const idleClient = 'ines-reader'

/** The time from a claim to the watchdog. */
export const leaseMs = 2_500

const environment: Partial<Record<ServiceName | 'all', Record<string, string>>> = {
  // Services are killed all the time, so many requests are never answered.
  all: { NATS_REQUEST_GRACE_MS: '0', PROVIDER_READ_TIMEOUT_MS: '3000' },
  gateway: usualDeadline,
  submitter: {
    LEASE_MS: String(leaseMs),
    PROVIDER_TIMEOUT_MS: '1000',
    CALL_TIMEOUT_MS: '1000',
    RETRY_AFTER_MS: '200',
    BACKGROUND_JOB_PAUSE_MS: '200',
    REPUBLISH_AFTER_MS: '500',
  },
  reconciler: {
    PROVIDER_TIMEOUT_MS: '1000',
    CALL_TIMEOUT_MS: '500',
    LOCK_MS: '2000',
    DUE_PAUSE_MS: '100',
    BACKGROUND_JOB_PAUSE_MS: '200',
    REPUBLISH_AFTER_MS: '500',
  },
  operations: {
    PROVIDER_TIMEOUT_MS: '1000',
    CALL_TIMEOUT_MS: '500',
    BACKGROUND_JOB_PAUSE_MS: '200',
    BACKGROUND_JOB_AFTER_MS: '700',
    APPROVAL_JOB_PAUSE_MS: '200',
    APPROVAL_RETRY_MS: '200',
    APPROVAL_LONGEST_MS: '1000',
  },
  onboarding: { ...pausesOfAreas, ANNOUNCE_PAUSE_MS: '200', ERASE_PAUSE_MS: '200', ERASE_AFTER_MS: '1000' },
  beneficiaries: pausesOfAreas,
  cards: pausesOfAreas,
  spending: pausesOfAreas,
}

const amaraId = '01980000-0000-7000-8000-000000000002'
const inesId = '01980000-0000-7000-8000-000000000001'

type WorldOptions = {
  provider?: ProviderName
  /** The services with a process of their own; all if absent. */
  killed?: readonly ServiceName[]
}

export async function startWorld(random: Random, { provider = 'fake', killed }: WorldOptions = {}): Promise<World> {
  const chosen = await chooseProvider(provider)
  try {
    return await startWith(random, chosen, killed ?? true)
  } catch (error) {
    await chosen.close()
    throw error
  }
}

async function startWith(
  random: Random,
  chosen: ChosenProvider,
  processes: true | readonly ServiceName[],
): Promise<World> {
  const { payouts } = chosen
  const amara = { owner_id: amaraId, ...payouts.amara, amount: '1' }
  const leaving: { owner_id: string; client_id: string; file: string }[] = []
  const keyFiles = new Map<string, string>()
  const stack = await startTestStack({
    processes,
    enabledCapabilities: ['transfers.execute', 'cards.reveal'],
    environment: { ...environment, all: { ...environment.all, ...chosen.environment } },
    registerClients: async (folder, seed) => {
      await chosen.seed(folder, { amara: amaraId, ines: inesId })
      return declareOthers(folder, seed, {
        leaving,
        keyFiles,
        currency: payouts.amara.currency,
        leaverCount: processes === true ? leaverCounts.matrix : leaverCounts.sample,
      })
    },
  })
  const database = new pg.Pool({ connectionString: stack.postgres.adminUrl, max: 4 })
  const bus = await connectBus({
    config: { NATS_URL: stack.nats.server.url, NATS_NKEY_SEED: stack.nats.seeds.authz },
    name: 'authz',
    log: createLog({ service: 'chaos', level: 'silent' }),
  })
  const leavers = await Promise.all(
    leaving.map(async ({ owner_id, client_id, file }) => {
      const client = await createServiceClient({ baseUrl: stack.baseUrl, clientId: client_id, privateKeyFile: file })
      await client.authorize(leaverScopes)
      return [owner_id, { owner_id, client }] as const
    }),
  )
  return {
    stack,
    provider: chosen.open(stack),
    database,
    bus,
    book: createBook(),
    random,
    amara: { ...amara, client: await clientOf(stack, 'amara-agent', agentScopes) },
    bounded: { ...amara, client: await boundedOf(stack, keyFiles.get(boundedClient) ?? '') },
    ines: {
      owner_id: inesId,
      client: await clientOf(stack, 'ines-agent', agentScopes),
      ...payouts.ines,
      amount: '600',
    },
    leavers: new Map(leavers),
    stock: new Map(),
    kills: 0,
    close: async () => {
      await bus.drain().catch(() => {})
      await database.end()
      await stack.close()
      await chosen.close()
    },
  }
}

type Others = {
  leaving: { owner_id: string; client_id: string; file: string }[]
  keyFiles: Map<string, string>
  /** The currency of the bounded client's limit. */
  currency: string
  leaverCount: number
}

async function declareOthers(
  folder: string,
  { clientsFile }: Seed,
  { leaving, keyFiles, currency, leaverCount }: Others,
): Promise<string> {
  const { clients } = parse(await readFile(clientsFile, 'utf8')) as { clients: unknown[] }
  clients.push(await declareBounded(folder, keyFiles, currency))
  for (let number = 1; number <= leaverCount; number += 1) {
    const client_id = `leaver-${number}`
    const owner_id = randomUUID()
    const { privateKeyFile, jwks } = await writeClientKey(folder, client_id)
    leaving.push({ owner_id, client_id, file: privateKeyFile })
    const scopes = leaverScopes.split(' ')
    clients.push({ client_id, name: `Leaver ${number}`, profile: 'service', jwks, scopes, service_owner: owner_id })
  }
  const file = join(folder, 'clients-with-leavers.yaml')
  await writeFile(file, stringify({ clients }, { aliasDuplicateObjects: false }))
  return file
}

async function boundedOf({ baseUrl }: TestStack, privateKeyFile: string): Promise<ApiClient> {
  const client = await createServiceClient({ baseUrl, clientId: boundedClient, privateKeyFile })
  await client.authorize(agentScopes)
  return client
}

async function declareBounded(folder: string, keyFiles: Map<string, string>, currency: string): Promise<unknown> {
  const { privateKeyFile, jwks } = await writeClientKey(folder, boundedClient)
  keyFiles.set(boundedClient, privateKeyFile)
  const withdrawal_ceilings = { per_day: { amount: String(ceiling), currency } }
  const scopes = agentScopes.split(' ')
  const profile = { profile: 'service', service_owner: amaraId, jwks, scopes }
  return { client_id: boundedClient, name: "Amara's bounded agent", ...profile, policy: { withdrawal_ceilings } }
}

/**
 * Declares a connection for each leaver without one, with new credentials of a person whom the provider does not know
 * yet. `without` names an owner to leave out. A file cannot connect an owner who disconnected, and these owners have no
 * page to connect on. So their wish to disconnect is removed from the table first. `more` is added to the command's
 * environment.
 */
export async function connectLeavers(world: World, more: Record<string, string> = {}, without?: string): Promise<void> {
  const { stack, leavers, database, provider } = world
  const connected = await connectedLeavers(world)
  await database.query(
    `UPDATE onboarding.bindings SET disconnecting_at = NULL WHERE status = 'disconnected' AND owner_id = ANY($1::uuid[])`,
    [[...leavers.keys()]],
  )
  const { bindings } = parse(await readFile(stack.declarations.bindingsFile, 'utf8')) as { bindings: unknown[] }
  for (const owner_id of leavers.keys()) {
    if (owner_id === without) continue
    const file = join(stack.folder, `credentials-${owner_id}`)
    if (!connected.has(owner_id)) await writeFile(file, await provider.newCredentials(), { mode: 0o600 })
    bindings.push({ owner_id, provider: 'fake', credentials_file: file })
  }
  const file = join(stack.folder, 'bindings-with-leavers.yaml')
  await writeFile(file, stringify({ bindings }))
  await stack.runCommand('onboarding', 'apply-bindings', [file], more)
}

/** Returns the leavers' connections, by owner. */
export async function connectedLeavers({ database, leavers }: World): Promise<Map<string, string>> {
  const { rows } = await database.query<{ owner_id: string; id: string }>(
    `SELECT owner_id, id FROM onboarding.bindings
     WHERE status = 'connected' AND pending_operation_id IS NULL AND owner_id = ANY($1::uuid[])`,
    [[...leavers.keys()]],
  )
  return new Map(rows.map(({ owner_id, id }) => [owner_id, id]))
}

/** Creates an intent for this request and confirms it as its owner; returns the id. */
export async function confirmedIntent(
  { bus }: World,
  { client, owner_id }: Party,
  action: string,
  request: { path: string; body?: unknown },
): Promise<string> {
  const ask = () => client.request('POST', '/v1/confirmation-intents', { body: { action, request } })
  // On a busy machine an answer may come too late. An intent without a decision does nothing.
  const { status, body } = await answered(ask, (answer) => answer.status < 500)
  if (status !== 201) throw new Error(`an intent was refused: ${status} ${JSON.stringify(body)}`)
  const intent_id = body['id'] as string
  const said = { intent_id, owner_id, decision: 'confirm', authenticated_at: new Date().toISOString() } as const
  const answer = await answered(() => call(bus, 'int.operations.decide-intent', said, newContext(5_000)))
  if (answer?.type !== 'decided') throw new Error(`an intent was not confirmed: ${answer?.type ?? 'unknown'}`)
  return intent_id
}

/** Repeats a question until its answer is final; after two minutes, returns or throws what came last. */
async function answered<Answer>(ask: () => Promise<Answer>, isFinal: (answer: Answer) => boolean = () => true) {
  const until = Date.now() + 120_000
  for (;;) {
    try {
      const answer = await ask()
      if (isFinal(answer) || Date.now() > until) return answer
    } catch (error) {
      if (Date.now() > until) throw error
    }
    await delay(100)
  }
}

/** Makes every service that is killed one healthy process again after a run. */
export async function heal({ stack, provider }: World): Promise<void> {
  await provider.clearFaults()
  for (const name of serviceNames) {
    const running = stack.processes.get(name) ?? []
    if (running.some(({ runsTogether }) => runsTogether)) continue
    const answers = running.length === 1 && (await isReady(`${running[0]?.healthUrl}/ready`))
    if (answers && !doomed.has(running[0]?.child.pid ?? 0)) continue
    await stack.kill(name)
    await stack.start(name)
  }
}

/** Process ids of processes that kill themselves at a failpoint. */
export const doomed = new Set<number>()

async function isReady(url: string): Promise<boolean> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined)
  return answer?.ok ?? false
}
