/**
 * The clients: they send, send again what was not answered, send twice at once, send something else under the same key, read
 * what they made; and authority is taken from them in the middle of it. Every answer has to agree with every other one.
 */

import { createHash } from 'node:crypto'
import type { Bus } from '@financial-agents/bus/connect'
import { callRoute, call, type RouteRequest } from '@financial-agents/bus/rpc'
import { Problem } from '@financial-agents/contract/problem'
import type { Principal } from '@financial-agents/contract/principal'
import { newContext } from '@financial-agents/bus/headers'
import { uuidFrom } from '../virtual/random.ts'
import { type Fence, type Invariants, secret } from './invariants.ts'
import type { World } from './world.ts'

/** Answers after which nothing is known, or nothing was done: the same is sent again. */
const inconclusive: ReadonlySet<string> = new Set(['service_unavailable', 'acceptance_unknown'])
const patienceMs = 3_000

type Write = { route: string; request: RouteRequest; principal: Principal; key: string; hash: string }
type Answered = 'accepted' | 'again' | 'refused'

export function beginClients(world: World, invariants: Invariants): void {
  const { scheduler, chance } = world
  const { process, bus } = world.outsider('gateway')
  const known: Known = { operations: new Map(), acceptedOnce: new Set() }
  const owners = Array.from({ length: chance.whole(1, 2) }, (_, index) => `owner-${index + 1}`)
  const principals = owners.flatMap((owner_id) =>
    Array.from({ length: chance.whole(1, 2) }, (_, index) => ({
      owner_id,
      subject: `subject-${owner_id}`,
      client_id: `client-${index + 1}`,
      grant_id: `grant-${owner_id}-${index + 1}`,
      binding_id: `binding-${owner_id}`,
    })),
  )
  const client = { world, invariants, bus, known }
  const count = chance.whole(2, 6)
  for (let index = 0; index < count; index += 1) {
    const write = creation(world, chance.pick(principals))
    scheduler.after(chance.between(300, 9_000), process, () => void insist(client, write, chance.whole(1, 5)))
    if (chance.happens(0.35))
      scheduler.after(chance.between(300, 9_000), process, () => void insist(client, write, 2))
    if (chance.happens(0.15))
      scheduler.after(chance.between(300, 9_000), process, () => void insist(client, other(write), 1))
  }
  if (chance.happens(0.5)) {
    const { grant_id, client_id, binding_id } = chance.pick(principals)
    const fence = chance.pick<Fence>([
      { target: 'grant', target_id: grant_id },
      { target: 'client', target_id: client_id },
      { target: 'binding', target_id: binding_id },
    ])
    scheduler.after(chance.between(500, 9_000), process, () => void withdraw(client, fence))
  }
}

type Known = { operations: Map<string, { id: string; hash: string }>; acceptedOnce: Set<string> }
type Client = { world: World; invariants: Invariants; bus: Bus; known: Known }

const draw = () => uuidFrom(Math.random)
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

function creation(world: World, principal: Principal): Write {
  const key = `key-${draw()}`
  const body = {
    name: `Payee ${world.chance.whole(1, 3)}`,
    country: 'PT',
    currency: 'EUR',
    payout_schema_id: 'sepa',
    details: { iban: secret },
  }
  return written('rpc.beneficiaries.createBeneficiary', principal, key, body)
}

function written(route: string, principal: Principal, key: string, body: Record<string, unknown>): Write {
  const hash = createHash('sha256').update(JSON.stringify(body)).digest('base64url')
  return { route, principal, key, hash, request: { params: {}, query: {}, body, idempotency: { key, request_hash: hash } } }
}

/** Another request under the same key. */
function other(write: Write): Write {
  const body = { ...(write.request.body as Record<string, unknown>), name: 'Somebody else' }
  return written(write.route, write.principal, write.key, body)
}

/** Sends until there is an answer that says something, or patience ends; what was accepted is read, and perhaps sent again. */
async function insist(client: Client, write: Write, times: number): Promise<void> {
  const { chance } = client.world
  for (let sent = 0; sent < times; sent += 1) {
    const answered = await send(client, write)
    if (answered === 'refused') return
    if (answered === 'accepted') {
      await read(client, write.principal)
      if (chance.happens(0.6)) return
    }
    await pause(chance.between(10, 2_500))
  }
}

async function send({ world, invariants, bus, known }: Client, write: Write): Promise<Answered> {
  const identity = JSON.stringify([write.principal.owner_id, write.principal.client_id, write.route, write.key])
  const before = known.operations.get(identity)
  const context = { ...newContext(patienceMs), principal: write.principal }
  const reply = await callRoute(bus, write.route, write.request, context).catch(() => null)
  if (reply === null) return 'again'
  if (!reply.ok) {
    const { code } = reply.problem
    world.trace(null, `answer ${code}`)
    if (inconclusive.has(code)) return 'again'
    if (code === 'internal_error') invariants.violate('process', `a handler failed at ${write.route}`)
    const mine = before?.hash === write.hash
    if (mine) invariants.violate('answers', `what had been accepted was refused when repeated: ${code}`)
    if (code === 'idempotency_key_conflict') judgeConflict(world, invariants, write)
    return 'refused'
  }
  const operation = reply.data as { id: string }
  world.trace(null, `answer ${reply.replayed ? 'replayed' : 'accepted'} ${operation.id}`)
  const after = known.operations.get(identity)
  if (after && after.id !== operation.id) invariants.violate('I5', `two operations were answered for one key`)
  if (after && after.hash !== write.hash) invariants.violate('I5', 'two requests were accepted under one key')
  if (!reply.replayed && known.acceptedOnce.has(operation.id))
    invariants.violate('answers', `${operation.id} was told to be accepted twice`)
  if (!reply.replayed) known.acceptedOnce.add(operation.id)
  if (!invariants.isAccepted(operation.id)) invariants.violate('answers', `${operation.id} was answered and not accepted`)
  known.operations.set(identity, { id: operation.id, hash: write.hash })
  return 'accepted'
}

function judgeConflict({ stores }: World, invariants: Invariants, { principal, key, hash }: Write): void {
  const keys = [...(stores.operations.tables.get('idempotency_keys')?.rows.values() ?? [])]
  const held = keys.find(
    (row) => row.owner_id === principal.owner_id && row.client_id === principal.client_id && row.key === key,
  )
  if (!held || held.request_hash === hash) invariants.violate('answers', 'a conflict with nothing was answered')
}

/** What is shown was accepted. */
async function read({ bus, invariants }: Client, principal: Principal): Promise<void> {
  const context = { ...newContext(patienceMs), principal }
  const request: RouteRequest = { params: {}, query: {} }
  const reply = await callRoute(bus, 'rpc.beneficiaries.listBeneficiaries', request, context).catch(() => null)
  if (!reply?.ok) return
  const { items: shown } = reply.data as { items: { id: string; operation_id: string; state: string }[] }
  for (const { operation_id, state } of shown) {
    if (!invariants.isAccepted(operation_id)) invariants.violate('I7', `${operation_id} is read and was not accepted`)
    if (state === 'active' && invariants.truthOf(operation_id)?.state !== 'succeeded')
      invariants.violate('I7', `${operation_id} reads as active`)
  }
}

/** As authz does: again and again until it is confirmed. */
async function withdraw({ bus, invariants, world }: Client, fence: Fence): Promise<void> {
  for (;;) {
    try {
      await call(bus, 'int.submitter.fence', { ...fence, reason: 'test' }, newContext(1_500))
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
