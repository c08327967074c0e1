/**
 * The clients. They send requests, repeat unanswered ones, send a request twice at once, send a different request under
 * the same key, and read their operations. Their authority ends while they do so. Every answer must agree with every
 * other answer.
 */

import type { Bus } from '@financial-agents/bus/connect'
import { newContext } from '@financial-agents/bus/headers'
import { call, callRoute } from '@financial-agents/bus/rpc'
import type { Principal } from '@financial-agents/contract/principal'
import { Problem } from '@financial-agents/contract/problem'
import { readCards, validateCardRefusal } from './card-reads.ts'
import { connectAgain, registerConnections } from './connections.ts'
import type { Grant } from './grants.ts'
import type { Invariants } from './invariants.ts'
import type { Fence } from './mandate-invariants.ts'
import { lowerCaps } from './owners.ts'
import { createTransfer, drawRequests, otherUnderSameKey, underCeiling } from './requests.ts'
import type { World } from './world.ts'
import type { Write } from './write.ts'

/** After these answers either nothing is known or nothing was done, so the client repeats the request. */
const inconclusive: ReadonlySet<string> = new Set(['service_unavailable', 'acceptance_unknown'])
const patienceMs = 3_000
const disconnect = 'rpc.onboarding.disconnectService'

type AnswerKind = 'accepted' | 'again' | 'refused'
type ClientContext = {
  operations: Map<string, { id: string; hash: string }>
  acceptedOnce: Set<string>
  /** Operations that were read in a final state, with that state. */
  ended: Map<string, string>
}
type Client = { world: World; invariants: Invariants; bus: Bus; known: ClientContext }

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Starts the clients; returns the time at which the last of them starts, ms. */
export function beginClients(world: World, invariants: Invariants): number {
  const { scheduler, chance } = world
  const { process, bus } = world.outsider('gateway')
  const owners = world.outsider('authz')
  const known: ClientContext = { operations: new Map(), acceptedOnce: new Set(), ended: new Map() }
  const client = { world, invariants, bus, known }
  world.goingBack.onGoneBack(() => {
    for (const [identity, { id }] of known.operations) if (!invariants.isAccepted(id)) known.operations.delete(identity)
    for (const id of known.acceptedOnce) if (!invariants.isAccepted(id)) known.acceptedOnce.delete(id)
    known.ended.clear()
  })
  const { writes, principals, ceilings } = drawRequests(world)
  invariants.shown.ceilings = ceilings
  const from = 300
  const until = chance.pick([700, 1_200, 2_500, 6_000])
  const at = (beginMs: number, run: () => Promise<void>) => scheduler.after(beginMs, process, () => void run())
  for (const write of writes) {
    const beginMs = chance.between(from, until)
    at(beginMs, () => insist(client, write, chance.whole(1, 5)))
    if (chance.happens(0.35)) at(beginMs + chance.pick([0, 0, 5, 30, 500]), () => insist(client, write, 2))
    if (write.request.idempotency && chance.happens(0.25))
      for (let others = chance.whole(1, 3); others > 0; others -= 1)
        at(beginMs + chance.pick([0, 0, 1, 20, 1_000]), () => insist(client, otherUnderSameKey(write), 1))
    if (chance.happens(0.3)) at(beginMs + chance.between(0, 60), () => read(client, write.principal))
  }
  if (chance.happens(0.3)) {
    const { client_id, binding_id } = chance.pick(principals)
    const fence = chance.pick<Fence>([
      { target: 'client', target_id: client_id },
      { target: 'binding', target_id: binding_id ?? '' },
    ])
    at(chance.between(from, until), () => withdraw(client, fence))
  }
  if (chance.happens(0.3)) {
    const principal = chance.pick(principals)
    at(chance.between(from, until), () => endGrant(client, principal))
  }
  if (chance.happens(0.3)) at(chance.between(from, until), () => registerConnections(world, chance.happens(0.4)))
  if (chance.happens(0.4)) at(chance.between(from, until), () => lowerCaps(world, invariants, owners.bus))
  return until
}

/**
 * Sends the request until an answer decides it or the attempts are used up. Reads an accepted operation, and perhaps
 * sends the request again.
 */
async function insist(client: Client, write: Write, times: number): Promise<void> {
  const { chance } = client.world
  if (write.intent !== null && chance.happens(0.9)) await confirm(client, write)
  for (let sent = 0; sent < times; sent += 1) {
    const answered = await send(client, write)
    if (answered === 'refused') return
    if (answered === 'accepted') {
      if (chance.happens(0.15)) {
        await pause(chance.between(0, 40))
        void endGrant(client, write.principal)
      }
      await (chance.happens(0.5) ? read(client, write.principal) : follow(client, write))
      if (chance.happens(0.4)) return
    }
    if (answered === 'again' && chance.happens(0.3)) await read(client, write.principal)
    await pause(chance.between(10, 2_500))
  }
}

/** Confirms the intent as the owner does on the page. */
async function confirm({ bus, world }: Client, { intent, principal }: Write): Promise<void> {
  world.grants.confirm(intent ?? '', principal.owner_id)
  const authenticated_at = new Date(world.clock.nowMs()).toISOString()
  const decision = {
    intent_id: intent ?? '',
    owner_id: principal.owner_id,
    decision: 'confirm',
    authenticated_at,
  } as const
  await call(bus, 'int.operations.decide-intent', decision, newContext(1_500)).catch(() => null)
}

async function send({ world, invariants, bus, known }: Client, write: Write): Promise<AnswerKind> {
  // The gateway knows of the ended connection. A disconnect needs no connection, and is repeated until it is answered.
  const binding_id = world.connectionOf(write.principal.owner_id)
  if (binding_id === null && write.subject !== disconnect) return 'again'
  const identity = identityOf(write)
  const before = known.operations.get(identity)
  const isOfThisTime = world.goingBack.sinceNow()
  const context = { ...newContext(patienceMs), principal: { ...actingNow(world, write.principal), binding_id } }
  const reply = await callRoute(bus, write.subject, write.request, context).catch(() => null)
  if (reply === null || world.closed) return world.closed ? 'refused' : 'again'
  if (!isOfThisTime()) return 'again'
  if (!reply.ok) {
    const { code } = reply.problem
    world.trace(
      null,
      `answer ${code} to ${write.subject}${code === 'validation_failed' ? `: ${reply.problem.detail}` : ''}`,
    )
    if (inconclusive.has(code)) return 'again'
    if (code === 'internal_error') invariants.violate('process', `a handler failed at ${write.subject}`)
    const mine = before?.hash === write.hash
    if (mine) invariants.violate('answers', `what had been accepted was refused when repeated: ${code}`)
    if (code === 'idempotency_key_conflict') validateConflict(world, invariants, write)
    if (code === 'resource_busy') validateCardRefusal(world, invariants, write)
    return 'refused'
  }
  const operation = reply.data as { id: string } | null
  if (operation === null) {
    validateDisconnected(world, invariants, endedBy(world, write))
    if (world.chance.happens(0.6)) void connectAgain(world, bus, write.principal.owner_id)
    return 'accepted'
  }
  world.trace(null, `answer ${reply.replayed ? 'replayed' : 'accepted'} ${operation.id}`)
  const after = known.operations.get(identity)
  if (after && after.id !== operation.id) invariants.violate('I5', `two operations were answered for one key`)
  if (after && after.hash !== write.hash) invariants.violate('I5', 'two requests were accepted under one key')
  if (!reply.replayed && known.acceptedOnce.has(operation.id))
    invariants.violate('answers', `${operation.id} was told to be accepted twice`)
  if (!reply.replayed) known.acceptedOnce.add(operation.id)
  if (!invariants.isAccepted(operation.id))
    invariants.violate('answers', `${operation.id} was answered and not accepted`)
  known.operations.set(identity, { id: operation.id, hash: write.hash })
  return 'accepted'
}

/**
 * Finds the connection that this disconnect ends. A repeated disconnect gets the same answer even after the owner has
 * connected again.
 */
function endedBy({ stores }: World, { key, principal: { owner_id } }: Write): string {
  const keys = [...(stores.operations.tables.get('idempotency_keys')?.rows.values() ?? [])]
  const held = keys.find((row) => row.key === key && row.owner_id === owner_id)
  return String(stores.operations.tables.get('operations')?.rows.get(String(held?.operation_id))?.resource_id)
}

/** After a 204 nothing more is claimed over the connection (write protocol, rule 18). */
function validateDisconnected({ stores, trace }: World, invariants: Invariants, binding_id: string): void {
  trace(null, `answer disconnected ${binding_id}`)
  if (!stores.submitter.tables.get('fences')?.rows.has(`binding\u0001${binding_id}\u0001`))
    invariants.violate('I4', `the disconnect of ${binding_id} was answered before its fence`)
  invariants.reported.push({ target: 'binding', target_id: binding_id })
}

const identityOf = ({ principal, subject, key }: Pick<Write, 'principal' | 'subject' | 'key'>) =>
  JSON.stringify([principal.owner_id, principal.client_id, subject, key])

function validateConflict({ stores }: World, invariants: Invariants, { principal, key, hash }: Write): void {
  const keys = [...(stores.operations.tables.get('idempotency_keys')?.rows.values() ?? [])]
  const held = keys.find(
    (row) => row.owner_id === principal.owner_id && row.client_id === principal.client_id && row.key === key,
  )
  if (!held || held.request_hash === hash) invariants.violate('answers', 'a conflict with nothing was answered')
}

/** Reads lists: everything shown was accepted. */
async function read({ bus, invariants, world }: Client, principal: Principal): Promise<void> {
  const context = { ...newContext(patienceMs), principal }
  await readCards({ bus, invariants, world }, context)
  for (const subject of ['rpc.beneficiaries.listBeneficiaries', 'rpc.beneficiaries.listMandates']) {
    const isOfThisTime = world.goingBack.sinceNow()
    const reply = await callRoute(bus, subject, { params: {}, query: {} }, context).catch(() => null)
    // After the world is closed, the recording calls the tables as no service does, so answers no longer count.
    if (!reply?.ok || world.closed || !isOfThisTime()) continue
    const { items } = reply.data as { items: { id: string; operation_id: string; state: string }[] }
    for (const { operation_id, state } of items) {
      if (!invariants.isAccepted(operation_id)) invariants.violate('I7', `${operation_id} is read and was not accepted`)
      if (state === 'active' && invariants.truthOf(operation_id)?.state !== 'succeeded')
        invariants.violate('I7', `${operation_id} reads as active`)
    }
  }
}

/** Reads the operation by its key or its id. If the owner has to approve it, polls the approval. */
async function follow(client: Client, { principal, subject, key }: Write): Promise<void> {
  const { bus, known, invariants, world } = client
  const operation = known.operations.get(identityOf({ principal, subject, key }))
  if (!operation) return
  const context = { ...newContext(patienceMs), principal }
  const params = { operation_id: operation.id }
  const byKey = { params: {}, query: { idempotency_key: key } }
  const isListOfThisTime = world.goingBack.sinceNow()
  const list = await callRoute(bus, 'rpc.operations.listOperations', byKey, context).catch(() => null)
  if (list?.ok && !world.closed && isListOfThisTime()) {
    const { items } = list.data as { items: { id: string }[] }
    if (!items.some(({ id }) => id === operation.id))
      invariants.violate('answers', `${operation.id} is not found by its key`)
  }
  for (const route of ['getOperation', 'pollOperationApproval', 'getOperation']) {
    // The final state read before this request was sent. The answers of concurrent reads may arrive in any order.
    const before = known.ended.get(operation.id)
    const isOfThisTime = world.goingBack.sinceNow()
    const reply = await callRoute(bus, `rpc.operations.${route}`, { params, query: {} }, context).catch(() => null)
    if (!reply?.ok || world.closed) continue
    const { state } = reply.data as { state: string }
    if (!isOfThisTime()) continue
    if (before !== undefined && before !== state)
      invariants.violate('I2', `${operation.id} read as ${before}, then ${state}`)
    if (['succeeded', 'failed', 'cancelled'].includes(state)) known.ended.set(operation.id, state)
    if (state !== 'requires_action') break
    if (world.chance.happens(0.3))
      await call(bus, 'int.operations.approval-returned', params, newContext(1_500)).catch(() => null)
    await pause(world.chance.between(200, 1_500))
  }
}

/** Repeats the fence until it is confirmed, as authz does. */
async function withdraw({ bus, invariants, world }: Client, fence: Fence): Promise<void> {
  for (;;) {
    try {
      await call(bus, 'int.submitter.fence', { ...fence, version: 1, reason: 'test' }, newContext(1_500))
      world.trace(null, `fence of ${fence.target} ${fence.target_id} reported`)
      invariants.reported.push(fence)
      return
    } catch (error) {
      if (error instanceof Problem && error.code === 'internal_error')
        invariants.violate('process', 'a fence could not be written')
      await pause(1_000)
    }
  }
}

/**
 * Returns the principal of a request, usually with the client's current grant. Sometimes it keeps the ended grant, as in
 * a request that a gateway has already let through.
 */
function actingNow({ grants, chance }: World, principal: Principal): Principal {
  const grant_id = grants.current(principal)?.grant_id ?? principal.grant_id
  if (grant_id === principal.grant_id || chance.happens(0.2)) return principal
  return { ...principal, grant_id, grant_ends_at: grants.endsAt(grant_id) }
}

/** Ends a client's access. The owner may allow it again, for all or some of the mandates under which it could pay. */
async function endGrant(client: Client, { grant_id, ...principal }: Principal): Promise<void> {
  const { world, invariants } = client
  const ended = world.grants.current(principal)?.grant_id ?? grant_id
  world.grants.end(ended)
  void withdraw(client, { target: 'grant', target_id: ended })
  if (!world.chance.happens(0.7)) return
  await pause(world.chance.between(0, 1_500))
  if (world.grants.current(principal)) return
  const created_at = new Date(world.clock.nowMs()).toISOString()
  const grant = world.grants.add(principal, `${ended}+`, created_at)
  world.trace(null, `${ended} is followed by ${grant.grant_id}`)
  const mandates = await consent(client, grant)
  for (const id of mandates) {
    const write = underCeiling(
      createTransfer(world, { ...principal, grant_id: grant.grant_id, grant_ends_at: null }, id),
      invariants.shown.ceilings,
    )
    void insist(client, write, world.chance.whole(1, 3))
  }
}

/**
 * Gives consent as the consent page does: lists the running mandates that name the client and authorizes some of them.
 * Returns all of them.
 */
async function consent({ bus, world }: Client, grant: Grant): Promise<string[]> {
  const { owner_id, client_id, grant_id } = grant
  const request = { owner_id, which: 'running', after: null } as const
  const running = await call(bus, 'int.beneficiaries.owner-mandates', request, newContext(patienceMs)).catch(() => [])
  const named = running.filter(({ authorized_clients }) => authorized_clients.includes(client_id)).map(({ id }) => id)
  const mandate_ids = named.filter(() => world.chance.happens(0.5))
  for (const id of mandate_ids) world.grants.agree(id, grant)
  while (mandate_ids.length > 0 && world.chance.happens(0.9)) {
    const given = { owner_id, client_id, grant_id, mandate_ids }
    const answer = await call(bus, 'int.beneficiaries.authorize-mandates', given, newContext(1_500)).catch(() => null)
    if (answer) break
    await pause(500)
  }
  return named
}
