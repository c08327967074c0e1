/**
 * Clients of a failing system. Each repeats its request unchanged until it gets a conclusive answer, and approves as
 * the owner where that is needed. Clients read only through the API, except where an answer names no operation.
 */

import { setTimeout as delay } from 'node:timers/promises'
import type { ApiResponse } from '@financial-agents/testkit/client'
import { kindsThat } from '@financial-agents/testkit/kinds-oracle'
import type { World } from './world.ts'
import type { Write } from './write.ts'

const pauseMs = 60
const patienceMs = 240_000
const approvedKinds: ReadonlySet<string> = new Set(kindsThat(({ isApproved }) => isApproved))

export type Telling = {
  /** Time-out of one request. */
  timeoutMs?: number
  /** Awaited before a request is repeated. */
  comeBack?: () => Promise<unknown> | undefined
}

/**
 * Sends a write until it gets a conclusive answer; returns the id of the operation, or undefined after a definitive
 * refusal.
 */
export async function tell(world: World, write: Write, { timeoutMs = 3_000, comeBack }: Telling = {}) {
  const { method, path, key, headers, body, party } = write
  const request = {
    ...(key === undefined ? {} : { key }),
    ...(headers === undefined ? {} : { headers }),
    ...(body === undefined ? {} : { body }),
    timeoutMs,
  }
  world.book.noteSent(write)
  const until = Date.now() + patienceMs
  while (Date.now() < until) {
    const response = await party.client.request(method, path, request).catch(() => undefined)
    const answer = response && (await understand(world, write, response))
    if (answer) return answer.id
    await comeBack?.()
    await delay(pauseMs)
  }
  throw new Error(`one ${write.kind} was told nothing within ${patienceMs / 1_000} s`)
}

/**
 * Reads an answer; undefined if the request must be repeated.
 * @throws Error for a refusal that must not answer an equal request
 */
async function understand(
  world: World,
  write: Write,
  { status, body }: ApiResponse,
): Promise<{ id?: string } | undefined> {
  if (status === 202 || status === 204) {
    const id = status === 202 ? (body['id'] as string) : await idOfDisconnect(world, write.connection)
    world.book.noteAccepted(write, id)
    return { id }
  }
  if (write.refusals?.includes(body['code'] as string)) {
    world.book.noteRefused(write)
    return {}
  }
  if (status >= 500 || status === 401) return undefined
  world.book.noteRefused(write)
  throw new Error(`an equal ${write.kind} got ${status} ${body['code']}: ${body['detail']}`)
}

/**
 * Finds the operation of a disconnect.
 * @throws Error unless there is exactly one
 */
export async function idOfDisconnect({ database }: World, connection: string | undefined): Promise<string> {
  const { rows } = await database.query<{ id: string }>(
    `SELECT id FROM operations.operations WHERE resource_id = $1 AND kind = 'transfer_grant_revoke'`,
    [connection],
  )
  if (rows.length !== 1) throw new Error(`a disconnect that was answered has ${rows.length} operations`)
  return (rows[0] as { id: string }).id
}

/** Approves at the provider as the owner, until the operation no longer waits for approval. */
export async function approve(
  { provider, book }: World,
  { kind, party }: Write,
  id: string | undefined,
): Promise<void> {
  // Operations of other kinds wait for nobody. An owner without a connection cannot read them.
  if (id === undefined || !approvedKinds.has(kind)) return
  const { client } = party
  const decided = new Set<string>()
  const until = Date.now() + patienceMs
  while (Date.now() < until) {
    const { status, body } = (await client.request('GET', `/v1/operations/${id}`).catch(() => undefined)) ?? {}
    if (status === 200 && body?.['state'] !== 'requires_action') {
      book.noteState(id, body?.['state'] as string)
      return
    }
    const url = body?.['action_required']?.['url'] as string | undefined
    if (url !== undefined && url.startsWith(provider.origin) && !decided.has(url)) {
      decided.add(url)
      const form = new URLSearchParams({ ...provider.approvalForm, decision: 'approve' })
      await fetch(url, { method: 'POST', body: form, redirect: 'manual' })
    }
    if (url !== undefined) await client.request('POST', `/v1/operations/${id}/approval/poll`).catch(() => undefined)
    await delay(pauseMs)
  }
  throw new Error(`operation ${id} still waits for its owner`)
}

export async function tellAndApprove(world: World, write: Write, telling: Telling = {}): Promise<void> {
  await approve(world, write, await tell(world, write, telling))
}

/** Sends every write, and approves for the owners. */
export async function drive(world: World, writes: readonly Write[]): Promise<void> {
  await Promise.all(writes.map((write) => tellAndApprove(world, write)))
}

/** Waits until an operation ends; returns its state, or its current state after two minutes. */
export async function settle(world: World, id: string): Promise<string> {
  const write = world.book.accepted.get(id)
  if (write) await approve(world, write, id)
  let state = ''
  for (let attempt = 0; attempt < 4_800; attempt += 1) {
    const { rows } = await world.database.query<{ state: string }>(
      'SELECT state FROM operations.operations WHERE id = $1',
      [id],
    )
    state = rows[0]?.state ?? 'unknown'
    if (['succeeded', 'failed', 'cancelled'].includes(state)) return state
    await delay(25)
  }
  return state
}
