/**
 * The ways to reach each step. A way starts a doomed process, which sends itself SIGKILL at its failpoint, runs the
 * load through it, and starts the service again. The way ends when every client has a conclusive answer.
 */

import { setTimeout as delay } from 'node:timers/promises'
import type { Calls } from '@financial-agents/bus/calls'
import { newContext } from '@financial-agents/bus/headers'
import { call } from '@financial-agents/bus/rpc'
import type { ServiceProcess } from '@financial-agents/testkit/processes'
import { serviceNames } from '@financial-agents/testkit/stack-services'
import { registerClients } from '../register-clients.ts'
import { approve, drive, idOfDisconnect, settle, tell, tellAndApprove } from './load.ts'
import { areaOf, type Run, type Way } from './matrix.ts'
import type { Step } from './steps.ts'
import { connectedLeavers, connectLeavers, doomed, idleClient, leaseMs, type World } from './world.ts'
import type { Write } from './write.ts'

/** Only bounds a hang. */
const reachedWithinMs = 240_000

export type Under = { world: World; run: Run; writes: readonly Write[] }

export const ways: { readonly [W in Way]: (under: Under) => Promise<void> } = {
  writes,
  abandonedAttempts,
  droppedReplies,
  frozenSubmitter,
  ownersApproval: writes,
  reconnect,
  returningClient,
  reveals,
  signIn,
  undecidedDrafts,
  unpreparedApprovals,
  verifications,
  withoutSubmitter,
  randomTimestamps,
}

async function startDoomed({ stack }: World, { service, failpoint }: Step): Promise<ServiceProcess> {
  await stack.stopService(service)
  const started = await stack.start(service, { FAILPOINT: failpoint }, { waitReady: false })
  doomed.add(started.child.pid)
  return started
}

async function expectKilled(world: World, { child }: ServiceProcess, failpoint: string): Promise<void> {
  const end = await Promise.race([child.exited, delay(reachedWithinMs, undefined, { ref: false })])
  if (end?.signal !== 'SIGKILL')
    throw new Error(`${failpoint} was not reached${end ? `: ${child.lastLines(3).join(' | ')}` : ''}`)
  world.kills += 1
}

/** Runs the load on the doomed process until it is killed, then starts the next process. */
async function killedUnder(world: World, step: Step, load: () => Promise<unknown>): Promise<void> {
  const process = await startDoomed(world, step)
  const under = load()
  under.catch(() => {})
  await expectKilled(world, process, step.failpoint)
  await world.stack.start(step.service)
  await under
}

async function writes({ world, run, writes: load }: Under): Promise<void> {
  await killedUnder(world, run.step, () => drive(world, load))
}

async function droppedReplies({ world, run, writes: load }: Under): Promise<void> {
  for (const kind of new Set(load.map((write) => write.kind)))
    await world.provider.faultOf({ kind }, 'accept_drop_reply', { times: load.length })
  await killedUnder(world, run.step, () => drive(world, load))
}

/** The submitter starts again after the kill. A disconnect is answered only once the submitter has its fence. */
async function withoutSubmitter({ world, run, writes: load }: Under): Promise<void> {
  await world.stack.stopService('submitter')
  const process = await startDoomed(world, run.step)
  const under = drive(world, load)
  under.catch(() => {})
  await expectKilled(world, process, run.step.failpoint)
  await world.stack.start(run.step.service)
  await world.stack.start('submitter')
  await under
}

/** While the writes run, an operator removes a client that sends nothing, and declares it again. */
async function returningClient({ world, run, writes: load }: Under): Promise<void> {
  await killedUnder(world, run.step, async () => {
    const driven = drive(world, load)
    driven.catch(() => {})
    await registerClients(world.stack, (clients) => clients.filter(({ client_id }) => client_id !== idleClient))
    await registerClients(world.stack, (clients) => clients)
    await driven
  })
}

/**
 * Drafts of an area that was killed before it learned whether they were accepted. Their clients repeat the request
 * late.
 */
async function undecidedDrafts({ world, run, writes: load }: Under): Promise<void> {
  const { stack } = world
  const drafting = 'accept.before_send'
  const comeBack = Promise.withResolvers<void>()
  const under: Promise<void>[] = []
  // Areas are killed one after another. An area is killed after the areas that send requests to it.
  const areas = serviceNames.toReversed().filter((area) => load.some((write) => areaOf(write.kind) === area))
  try {
    for (const service of areas) {
      const drafter = await startDoomed(world, { service, failpoint: drafting })
      // A client that reached no area has no draft, so it repeats the request at once.
      const late = () => (drafter.child.isRunning() ? undefined : comeBack.promise)
      const own = load.filter((write) => areaOf(write.kind) === service)
      under.push(...own.map((write) => tellAndApprove(world, write, { timeoutMs: 1_500, comeBack: late })))
      for (const telling of under) telling.catch(() => {})
      await expectKilled(world, drafter, drafting)
    }
    const process = await startDoomed(world, run.step)
    for (const area of areas) if (area !== run.step.service) await stack.start(area)
    await expectKilled(world, process, run.step.failpoint)
    await stack.start(run.step.service)
  } finally {
    comeBack.resolve()
  }
  await Promise.all(under)
}

/** Attempts of a submitter that was killed before it called the provider. Their leases have expired. */
async function abandonedAttempts({ world, run, writes: load }: Under): Promise<void> {
  const claimer = await startDoomed(world, { service: 'submitter', failpoint: 'claim.after_commit' })
  const under = drive(world, load)
  under.catch(() => {})
  await expectKilled(world, claimer, 'claim.after_commit')
  await delay(leaseMs + 100)
  await expectKilled(world, await startDoomed(world, run.step), run.step.failpoint)
  await world.stack.start('submitter')
  await under
}

/** The submitter is frozen before the provider has answered. */
const slowMs = 4_000
const slowLeaseMs = 8_000

/** Attempts that continue after another replica's watchdog has given them up. */
async function frozenSubmitter({ world, run, writes: load }: Under): Promise<void> {
  const { stack, provider } = world
  for (const kind of new Set(load.map((write) => write.kind)))
    await provider.faultOf({ kind }, 'slow', { times: load.length, options: { delay_ms: slowMs } })
  await stack.stopService('submitter')
  const frozen = await stack.start('submitter', {
    PROVIDER_TIMEOUT_MS: String(slowMs + 1_000),
    LEASE_MS: String(slowLeaseMs),
  })
  const { mutations } = await provider.summary()
  const under = drive(world, load)
  under.catch(() => {})
  for (let attempt = 0; attempt < 1_000 && (await provider.summary()).mutations === mutations; attempt += 1)
    await delay(20)
  frozen.child.signal('SIGSTOP')
  const process = await startDoomed(world, run.step)
  await stack.start('submitter')
  await delay(slowLeaseMs + 500)
  frozen.child.signal('SIGCONT')
  await expectKilled(world, process, run.step.failpoint)
  await stack.start(run.step.service)
  await stack.stopService('submitter')
  await stack.start('submitter')
  await under
}

/** The provider does not answer the question for approvals. The background job asks again later. */
async function unpreparedApprovals({ world, run, writes: load }: Under): Promise<void> {
  await world.provider.faultOf({ kind: 'approval' }, 'drop_before_accept')
  const ids = await Promise.all(load.map((write) => tell(world, write)))
  await expectKilled(world, await startDoomed(world, run.step), run.step.failpoint)
  await world.provider.clearFaults()
  await world.stack.start(run.step.service)
  await Promise.all(load.map((write, at) => approve(world, write, ids[at])))
}

/** While the writes run, a client requests the reveal of a card's number until the request succeeds. */
async function reveals({ world, run, writes: load }: Under): Promise<void> {
  const card = world.stock.get('active card')?.[0]
  const { client } = world.amara
  const reveal = async () => {
    for (let attempt = 0; attempt < 2_000; attempt += 1) {
      const answer = await client
        .request('POST', `/v1/cards/${card}/reveals`, { timeoutMs: 3_000 })
        .catch(() => undefined)
      if (answer?.status === 201) return
      await delay(60)
    }
    throw new Error('no page showed the number of a card')
  }
  await killedUnder(world, run.step, () => Promise.all([drive(world, load), reveal()]))
}

/** The owners with an open verification. A second request of one of them is answered without a commit. */
const verified = new Set<string>()

/**
 * While the writes run, an owner who stays connected verifies her identity. She reads the result again once the cached
 * answer has expired.
 */
async function verifications({ world, run, writes: load }: Under): Promise<void> {
  const leaving = new Set(load.map(({ party }) => party.owner_id))
  const isFit = (id: string) => !leaving.has(id) && !verified.has(id)
  const findStaying = async () => [...(await connectedLeavers(world)).keys()].find(isFit)
  let owner = await findStaying()
  if (owner === undefined) {
    await connectLeavers(world)
    owner = await findStaying()
  }
  const staying = world.leavers.get(owner ?? '')
  if (!staying) throw new Error('no connection is left that is not to be ended')
  verified.add(staying.owner_id)
  const ask = async (method: 'GET' | 'POST', path: string, wanted: number) => {
    for (let attempt = 0; attempt < 2_000; attempt += 1) {
      const answer = await staying.client.request(method, path, { timeoutMs: 3_000 }).catch(() => undefined)
      if (answer?.status === wanted) return
      await delay(60)
    }
    throw new Error(`${method} ${path} was not answered`)
  }
  await killedUnder(world, run.step, async () => {
    const driven = drive(world, load)
    driven.catch(() => {})
    await ask('POST', '/v1/kyc/sessions', 201)
    await delay(freshMs)
    await ask('GET', '/v1/kyc', 200)
    await driven
  })
}

/** The time for which the provider's answer about an owner is cached. */
const freshMs = 3_100

/**
 * Connects disconnected owners again and removes another one, by the operator's command. The command is killed on its
 * way and run again.
 */
async function reconnect({ world, run, writes: load }: Under): Promise<void> {
  await drive(world, load)
  for (const [id, write] of world.book.accepted)
    if (load.includes(write) && (await settle(world, id)) !== 'indeterminate') await settleQuietly(world, id)
  const [away] = (await connectedLeavers(world)).keys()
  const killed = await connectLeavers(world, { FAILPOINT: run.step.failpoint }, away).then(
    () => false,
    (error: unknown) => error instanceof Error && error.message.includes('SIGKILL'),
  )
  if (!killed) throw new Error(`${run.step.failpoint} was not reached`)
  world.kills += 1
  await connectLeavers(world, {}, away)
  const connected = await connectedLeavers(world)
  if (!load.some((write) => connected.has(write.party.owner_id))) throw new Error('nobody who left came back')
  if (away === undefined || connected.has(away)) throw new Error('who is no longer declared is still connected')
  await connectLeavers(world)
}

/** A person connects, disconnects at the account page and connects again. Requests without an answer are repeated. */
async function signIn({ world, run, writes: load }: Under): Promise<void> {
  await killedUnder(world, run.step, async () => {
    const first = await connectOnce(world)
    const leaving: Write = {
      kind: 'transfer_grant_revoke',
      party: { owner_id: first.owner_id, client: world.amara.client },
      method: 'DELETE',
      path: '/account',
      connection: first.binding_id,
    }
    world.book.noteSent(leaving)
    await askOnboarding(world, 'disconnect', { owner_id: first.owner_id, subject: 'subject of the owner' })
    const id = await idOfDisconnect(world, first.binding_id)
    world.book.noteAccepted(leaving, id)
    await drive(world, load)
    const settled = await settleQuietly(world, id)
    const second = await connectOnce(world)
    if (second.owner_id !== first.owner_id) throw new Error('the same person became another owner')
    if (settled && second.binding_id === first.binding_id) throw new Error('a connection that was ended came back')
  })
}

/** Waits until onboarding knows the outcome of the operation; false if it does not in two minutes. */
async function settleQuietly({ database }: World, id: string): Promise<boolean> {
  for (let attempt = 0; attempt < 2_400; attempt += 1) {
    const { rows } = await database.query(
      'SELECT outcome FROM onboarding.writes WHERE operation_id = $1 AND outcome IS NOT NULL',
      [id],
    )
    if (rows.length > 0) return true
    await delay(50)
  }
  return false
}

/** Signs in and connects; returns the connection afterwards. A connection that is still ending stays the current one. */
async function connectOnce(world: World): Promise<{ owner_id: string; binding_id: string }> {
  const { owner_id } = (await signInOnce(world)).owner
  await askOnboarding(world, 'connect', { owner_id })
  const [binding] = await askOnboarding(world, 'bindings', { owner_ids: [owner_id] })
  if (!binding) throw new Error('who connected has no connection')
  return { owner_id, binding_id: binding.binding_id }
}

/** Starts a sign-in, approves it at the provider's page, and repeats its end until it is answered. */
async function signInOnce(world: World) {
  const started = await askOnboarding(world, 'start-sign-in', { return_url: `${world.stack.baseUrl}/sign-in/return` })
  if (started.type !== 'started') throw new Error(`the sign-in did not start: ${started.type}`)
  const form = new URLSearchParams({ ...world.provider.signInForm, decision: 'approve' })
  await fetch(started.url, { method: 'POST', body: form, redirect: 'manual' })
  const answer = await askOnboarding(world, 'finish-sign-in', { sign_in_id: started.sign_in_id })
  if (answer.type !== 'signed_in') throw new Error(`an approved sign-in ended as ${answer.type}`)
  return answer
}

async function askOnboarding<Name extends 'start-sign-in' | 'finish-sign-in' | 'connect' | 'bindings' | 'disconnect'>(
  { bus }: World,
  name: Name,
  request: Calls[`int.onboarding.${Name}`]['request'],
): Promise<Calls[`int.onboarding.${Name}`]['answer']> {
  for (let attempt = 0; attempt < 2_000; attempt += 1) {
    const answer = await call(bus, `int.onboarding.${name}`, request, newContext(2_000)).catch(() => undefined)
    if (answer !== undefined) return answer
    await delay(60)
  }
  throw new Error(`onboarding did not answer ${name}`)
}

/** Kills the service twice, at any moment. */
async function randomTimestamps({ world, run, writes: load }: Under): Promise<void> {
  const { stack, random } = world
  const { service } = run.step
  const half = Math.ceil(load.length / 2)
  const under: Promise<void>[] = []
  for (const part of [load.slice(0, half), load.slice(half)]) {
    const driven = drive(world, part)
    driven.catch(() => {})
    under.push(driven)
    await delay(20 + random.below(200))
    await stack.kill(service)
    world.kills += 1
    await delay(random.below(300))
    await stack.start(service)
  }
  await Promise.all(under)
}
