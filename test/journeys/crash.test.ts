/**
 * Each service is killed with SIGKILL at each step of a write. Nothing accepted is lost, the provider's ledger never shows
 * a reference twice, and every operation ends `succeeded`, `failed` or `indeterminate`.
 *
 * The steps are the failpoints found in the services' sources, so a new one is covered without a line here.
 */

import { randomUUID } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Calls } from '@financial-agents/bus/calls'
import { type Bus, connectBus } from '@financial-agents/bus/connect'
import { newContext } from '@financial-agents/bus/headers'
import type { FinishSignInAnswer } from '@financial-agents/bus/messages/sign-in'
import { call } from '@financial-agents/bus/rpc'
import { createLog } from '@financial-agents/runtime/log'
import type { ApiClient, ApiResponse } from '@financial-agents/testkit/client'
import type { ServiceProcess } from '@financial-agents/testkit/processes'
import { type ServiceName, serviceNames } from '@financial-agents/testkit/stack-services'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { clientOf, create, pollUntil, providerOf, startTestStack, type TestStack } from '../stack.test-helper.ts'

const root = join(import.meta.dirname, '../..')
const writesAtOnce = 6

type Step = { service: ServiceName; failpoint: string }

/** A service's own sources, and where it writes, what every area with writes shares. */
function sourcesOf(service: ServiceName): string[] {
  const { dependencies } = JSON.parse(readFileSync(join(root, `services/${service}/package.json`), 'utf8'))
  const folders = [`services/${service}`, ...('@financial-agents/writes' in dependencies ? ['libs/writes'] : [])]
  return folders.flatMap((folder) => globSync(`${folder}/src/**/*.ts`, { cwd: root }))
}

const steps: Step[] = serviceNames.flatMap((service) =>
  sourcesOf(service)
    .filter((file) => !file.includes('.test'))
    .flatMap((file) => [...readFileSync(join(root, file), 'utf8').matchAll(/failpoint\('([a-z_.]+)'\)/g)])
    .map((match) => ({ service, failpoint: match[1] as string })),
)

/** How a step comes about, where a plain write does not pass through it. */
const ways: { step: RegExp; reach: (step: Step) => Promise<ApiResponse[]> }[] = [
  { step: /^onboarding apply/, reach: applyTwice },
  { step: /^(onboarding|submitter) (fence|announce)/, reach: reconnect },
  { step: /^submitter unfence/, reach: liftFence },
  { step: /^onboarding sweep/, reach: withUndecidedDisconnect },
  { step: /^onboarding/, reach: signInAndDisconnect },
  { step: /^operations sweep/, reach: withoutSubmitter },
  { step: /^operations decide|^beneficiaries sweep/, reach: withUndecidedDrafts },
  { step: /^submitter watchdog/, reach: withAbandonedAttempts },
  { step: /^reconciler late_answer/, reach: withFrozenSubmitter },
  { step: /^reconciler/, reach: withDroppedReplies },
  { step: /./, reach: withWrites },
]

let stack: TestStack
let client: ApiClient
let amara: ApiClient
let provider: ReturnType<typeof providerOf>

beforeAll(async () => {
  stack = await startTestStack({
    environment: {
      submitter: { LEASE_MS: '2500', PROVIDER_TIMEOUT_MS: '1000', SWEEP_PAUSE_MS: '300' },
      reconciler: { PROVIDER_TIMEOUT_MS: '1000', CALL_TIMEOUT_MS: '500', LOCK_MS: '2000', SWEEP_PAUSE_MS: '300' },
      operations: { SWEEP_PAUSE_MS: '300', SWEEP_AFTER_MS: '1000' },
      onboarding: {
        SWEEP_PAUSE_MS: '300',
        DRAFT_DECIDE_AFTER_MS: '1000',
        PENDING_PULL_AFTER_MS: '1500',
        ERASE_PAUSE_MS: '300',
        ERASE_AFTER_MS: '500',
      },
      beneficiaries: { SWEEP_PAUSE_MS: '300', DRAFT_DECIDE_AFTER_MS: '1000', PENDING_PULL_AFTER_MS: '1500' },
    },
  })
  client = await clientOf(stack, 'ines-agent')
  amara = await clientOf(stack, 'amara-agent')
  provider = providerOf(stack)
})
afterEach(() => provider.clearFaults())
afterAll(() => stack.close())

/** An application that keeps repeating the equal request until it is told what became of it. */
async function writeUntilAccepted(name: string): Promise<ApiResponse> {
  const key = randomUUID()
  for (let attempt = 0; attempt < 150; attempt += 1) {
    const response = await create(client, name, key).catch(() => undefined)
    if (response?.status === 202) return response
    if (response && response.status < 500 && response.status !== 401)
      throw new Error(`an equal request got ${response.status} ${response.body.code}`)
    await delay(100)
  }
  throw new Error('the write was not accepted within 15 s')
}

async function settle(id: string): Promise<string> {
  for (let attempt = 0; attempt < 400; attempt += 1) {
    const response = await client.request('GET', `/v1/operations/${id}`).catch(() => undefined)
    const state = response?.body.state
    if (state === 'succeeded' || state === 'failed') return state
    if (state === 'cancelled') throw new Error('nothing was withdrawn, and yet it is cancelled')
    // Indeterminate is an end only where the provider has nothing under our reference: no read can prove anything then.
    if (state === 'indeterminate' && !(await executed(id))) return state
    await delay(100)
  }
  throw new Error(`operation ${id} did not settle within 40 s`)
}

async function executed(id: string): Promise<boolean> {
  return (await provider.ledger(id)).some((entry) => entry.outcome.startsWith('executed'))
}

async function expectSound(accepted: readonly ApiResponse[]): Promise<void> {
  const ids = accepted.map((response) => response.body.id as string)
  expect(new Set(ids).size).toBe(ids.length)
  for (const id of ids) {
    const state = await settle(id)
    const entries = await provider.ledger(id)
    expect(entries.length, `submissions of ${id}`).toBeLessThanOrEqual(1)
    expect(state === 'succeeded', `${id} is ${state}`).toBe(await executed(id))
    if (state === 'succeeded') await expectActive(id)
  }
  expect((await provider.summary()).repeated).toEqual([])
}

async function expectActive(id: string): Promise<void> {
  const { body } = await client.request('GET', `/v1/operations/${id}`)
  await expect
    .poll(async () => (await client.request('GET', `/v1/beneficiaries/${body.resource_id}`)).body.state, {
      timeout: 15_000,
      interval: 100,
    })
    .toBe('active')
}

const writes = (name = 'crash') => Array.from({ length: writesAtOnce }, () => writeUntilAccepted(name))

/** Starts the service with the failpoint in place of the one that runs. */
async function startDoomed({ service, failpoint }: Step) {
  await stack.stopService(service)
  return stack.start(service, { FAILPOINT: failpoint }, { waitReady: false })
}

/** The doomed reconciler, and a second submitter beside the frozen one. */
async function startBeside(step: Step): Promise<ServiceProcess> {
  const doomed = await startDoomed(step)
  await stack.start('submitter')
  return doomed
}

async function expectKilled(doomed: ServiceProcess, failpoint: string): Promise<void> {
  const end = await Promise.race([doomed.child.exited, delay(20_000)])
  expect(end, `${failpoint} was not reached`).toMatchObject({ signal: 'SIGKILL' })
}

async function withWrites(step: Step): Promise<ApiResponse[]> {
  const doomed = await startDoomed(step)
  const under = writes()
  await expectKilled(doomed, step.failpoint)
  await stack.start(step.service)
  return Promise.all(under)
}

async function withDroppedReplies(step: Step): Promise<ApiResponse[]> {
  await provider.fault('accept_drop_reply', 'crash')
  return withWrites(step)
}

async function withoutSubmitter(step: Step): Promise<ApiResponse[]> {
  await stack.stopService('submitter')
  const accepted = await withWrites(step)
  await stack.start('submitter')
  return accepted
}

/** Drafts whose area service died before it heard whether they were accepted. */
async function withUndecidedDrafts(step: Step): Promise<ApiResponse[]> {
  const area = await startDoomed({ service: 'beneficiaries', failpoint: 'accept.before_send' })
  const under = writes()
  await expectKilled(area, 'accept.before_send')
  const doomed = await startDoomed(step)
  if (step.service !== 'beneficiaries') await stack.start('beneficiaries')
  await expectKilled(doomed, step.failpoint)
  await stack.start(step.service)
  return Promise.all(under)
}

/** Attempts whose submitter died before it called the provider. */
async function withAbandonedAttempts(step: Step): Promise<ApiResponse[]> {
  const claimer = await startDoomed({ service: 'submitter', failpoint: 'claim.after_commit' })
  const under = writes()
  await expectKilled(claimer, 'claim.after_commit')
  const doomed = await startDoomed(step)
  await expectKilled(doomed, step.failpoint)
  await stack.start('submitter')
  return Promise.all(under)
}

/** An attempt that wakes up after another replica's watchdog has given it up. */
async function withFrozenSubmitter(step: Step): Promise<ApiResponse[]> {
  await provider.fault('slow', 'crash', { delay_ms: 700 })
  const [frozen] = stack.processes.get('submitter') ?? []
  const { mutations } = await provider.summary()
  const under = writes()
  await expect.poll(async () => (await provider.summary()).mutations, { interval: 20 }).toBeGreaterThan(mutations)
  frozen?.child.signal('SIGSTOP')
  const doomed = await startBeside(step)
  const accepted = await Promise.all(under)
  // Failed: on a busy machine the second submitter may be too late to send, and knows it.
  for (const response of accepted) await pollUntil(client, response.body.id, ['indeterminate', 'succeeded', 'failed'])
  frozen?.child.signal('SIGCONT')
  await expectKilled(doomed, step.failpoint)
  await stack.stopService('submitter')
  await stack.start('submitter')
  await stack.start(step.service)
  return accepted
}

/** Bindings declared away and back: fences are set and lifted, gateways are told. */
async function reconnect(step: Step): Promise<ApiResponse[]> {
  const doomed = await startDoomed(step)
  const file = join(stack.folder, 'bindings-without-amara.yaml')
  const declared = parse(await readFile(stack.declarations.bindingsFile, 'utf8')) as { bindings: unknown[] }
  await writeFile(file, stringify({ bindings: declared.bindings.slice(0, 1) }))
  await stack.runCommand('onboarding', 'apply-bindings.ts', [file])
  await expectKilled(doomed, step.failpoint)
  await stack.start(step.service)
  await expectAmara(409)
  await stack.runCommand('onboarding', 'apply-bindings.ts', [stack.declarations.bindingsFile])
  await expectAmara(200)
  return []
}

async function expectAmara(status: number): Promise<void> {
  await expect
    .poll(async () => (await amara.request('GET', '/v1/beneficiaries')).status, { timeout: 15_000, interval: 100 })
    .toBe(status)
}

/** A command killed on its way can be run again. */
async function applyTwice(step: Step): Promise<ApiResponse[]> {
  const file = stack.declarations.bindingsFile
  const killed = stack.runCommand('onboarding', 'apply-bindings.ts', [file], { FAILPOINT: step.failpoint })
  await expect(killed).rejects.toThrow('SIGKILL')
  await stack.runCommand('onboarding', 'apply-bindings.ts', [file])
  await expectAmara(200)
  return []
}

/** A fence that is lifted, where the request is repeated until it is answered. */
async function liftFence(step: Step): Promise<ApiResponse[]> {
  const bus = await connectAsAuthz()
  try {
    const doomed = await startDoomed(step)
    const restarted = expectKilled(doomed, step.failpoint).then(() => stack.start(step.service))
    const fence = { target: 'mandate', target_id: randomUUID(), version: 1 } as const
    const lift = async (): Promise<void> => {
      const answer = await call(bus, 'int.submitter.unfence', fence, newContext(1_000)).catch(() => undefined)
      if (answer === null) return
      await delay(100)
      await lift()
    }
    await Promise.all([lift(), restarted])
  } finally {
    await bus.drain()
  }
  return []
}

function connectAsAuthz(): Promise<Bus> {
  return connectBus({
    config: { NATS_URL: stack.nats.server.url, NATS_NKEY_SEED: stack.nats.seeds.authz },
    name: 'authz',
    log: createLog({ service: 'crash-test', level: 'silent' }),
  })
}

/** A person who signs in, disconnects and signs in again, where whatever got no answer is asked again. */
async function signInAndDisconnect(step: Step): Promise<ApiResponse[]> {
  const bus = await connectAsAuthz()
  const revoked = await revokedSoFar()
  try {
    const doomed = await startDoomed(step)
    const restarted = expectKilled(doomed, step.failpoint).then(() => stack.start(step.service))
    await Promise.all([comeAndGo(bus), restarted])
  } finally {
    await bus.drain()
  }
  expect((await revokedSoFar()) - revoked).toBe(1)
  return []
}

/** A disconnect whose onboarding died before operations heard of it. */
async function withUndecidedDisconnect(step: Step): Promise<ApiResponse[]> {
  const bus = await connectAsAuthz()
  const revoked = await revokedSoFar()
  try {
    const { owner } = await signIn(bus)
    const area = await startDoomed({ service: 'onboarding', failpoint: 'accept.before_send' })
    let killed = false
    const request = { owner_id: owner.owner_id }
    const ask = async (): Promise<void> => {
      await call(bus, 'int.onboarding.disconnect', request, newContext(500)).catch(() => delay(50))
      if (!killed) await ask()
    }
    const asking = ask()
    await expectKilled(area, 'accept.before_send').finally(() => {
      killed = true
    })
    await asking
    await expectKilled(await startDoomed(step), step.failpoint)
    await stack.start(step.service)
    await comeAndGo(bus)
  } finally {
    await bus.drain()
  }
  expect((await revokedSoFar()) - revoked).toBe(1)
  return []
}

async function comeAndGo(bus: Bus): Promise<void> {
  const first = await signIn(bus)
  const { owner_id } = first.owner
  const binding = async () => (await askOnboarding(bus, 'bindings', { owner_ids: [owner_id] }))[0]
  await askOnboarding(bus, 'disconnect', { owner_id })
  await expect.poll(binding, { timeout: 20_000, interval: 50 }).toMatchObject({ status: 'disconnected' })
  const second = await signIn(bus)
  expect(second.owner).toEqual(first.owner)
  expect(second.binding_id).not.toBe(first.binding_id)
  expect(await binding()).toMatchObject({ binding_id: second.binding_id, status: 'connected' })
}

/** Revokes that the provider received; nothing reached it twice. */
async function revokedSoFar(): Promise<number> {
  expect((await provider.summary()).repeated).toEqual([])
  return (await provider.ledger()).filter((entry) => entry.kind === 'transfer_grant_revoke').length
}

/** Starts, approves at the provider's page, and finishes the same sign-in until it is answered. */
async function signIn(bus: Bus): Promise<Extract<FinishSignInAnswer, { type: 'signed_in' }>> {
  const started = await askOnboarding(bus, 'start-sign-in', { return_url: `${stack.baseUrl}/sign-in/return` })
  if (started.type !== 'started') throw new Error(`the sign-in did not start: ${started.type}`)
  const form = new URLSearchParams({ persona: 'per_daniel', decision: 'approve' })
  await fetch(started.url, { method: 'POST', body: form, redirect: 'manual' })
  const answer = await askOnboarding(bus, 'finish-sign-in', { sign_in_id: started.sign_in_id })
  if (answer.type !== 'signed_in') throw new Error(`an approved sign-in ended as ${answer.type}`)
  return answer
}

async function askOnboarding<Name extends 'start-sign-in' | 'finish-sign-in' | 'disconnect' | 'bindings'>(
  bus: Bus,
  name: Name,
  request: Calls[`int.onboarding.${Name}`]['request'],
): Promise<Calls[`int.onboarding.${Name}`]['answer']> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const answer = await call(bus, `int.onboarding.${name}`, request, newContext(1_000)).catch(() => undefined)
    if (answer !== undefined) return answer
    await delay(100)
  }
  throw new Error(`onboarding did not answer ${name}`)
}

describe('a service killed at a step', () => {
  test('the steps are found in the sources', () => {
    expect(new Set(steps.map((step) => step.service))).toEqual(
      new Set(['onboarding', 'operations', 'submitter', 'reconciler', 'beneficiaries']),
    )
  })

  test.each(steps)('$service at $failpoint', async (step) => {
    const way = ways.find((candidate) => candidate.step.test(`${step.service} ${step.failpoint}`))
    await expectSound((await way?.reach(step)) ?? [])
  })
})

describe('a service killed at a random moment under load', () => {
  const seed = Number(process.env.CHAOS_SEED ?? 20261120)
  const victims: ServiceName[] = [
    'operations',
    'submitter',
    'reconciler',
    'beneficiaries',
    'onboarding',
    'authz',
    'gateway',
  ]

  test.each(victims)(`%s (seed ${seed})`, async (victim) => {
    const random = mulberry32(seed + victims.indexOf(victim))
    let stopped = false
    const accepted: ApiResponse[] = []
    const load = Array.from({ length: 4 }, async () => {
      while (!stopped) accepted.push(await writeUntilAccepted(`load ${victim}`))
    })
    for (let round = 0; round < 2; round += 1) {
      await delay(100 + random() * 400)
      await stack.kill(victim)
      await delay(random() * 300)
      await stack.start(victim)
    }
    stopped = true
    await Promise.all(load)
    expect(accepted.length).toBeGreaterThan(0)
    await expectSound(accepted)
  })
})

function mulberry32(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
