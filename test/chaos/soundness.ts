/**
 * The guarantees after a load, whatever was killed: the clients' answers, the operations service's tables, the areas'
 * tables and the provider's ledger agree. The check repeats until they agree or the time limit is reached, because
 * repairs take time. Any difference that remains is a breach.
 */

import { setTimeout as delay } from 'node:timers/promises'
import type { OperationKind } from '@financial-agents/contract/kinds'
import { kindsOracle } from '@financial-agents/testkit/kinds-oracle'
import { nothing, resources } from './queries.ts'
import type { World } from './world.ts'

const deadlineMs = 180_000
const hastenAfterMs = 500

type Operation = { id: string; kind: OperationKind; state: string; resource_id: string }

const isEnd = (state: string) => state === 'succeeded' || state === 'failed' || state === 'cancelled'

/** Repeats the check; returns the remaining breaches. */
export async function findBreaches(world: World): Promise<string[]> {
  const began = Date.now()
  for (;;) {
    const breaches = await look(world)
    if (breaches.length === 0 || world.book.breaches.length > 0 || Date.now() - began > deadlineMs) return breaches
    if (Date.now() - began > hastenAfterMs) await hasten(world)
    await delay(100)
  }
}

/** Checks once; returns the current breaches. A breach that would hide the others is returned alone. */
export async function look(world: World): Promise<string[]> {
  const { database, book } = world
  if (book.breaches.length > 0) return book.breaches
  const { rows: operations } = await database.query<Operation>(
    'SELECT id, kind, state, resource_id FROM operations.operations ORDER BY id',
  )
  for (const { id, state } of operations) book.noteState(id, state)
  const counted = [...countBreaches(world, operations), ...(await restBreaches(world, operations))]
  if (counted.length > 0) return counted
  for (const { words, sql } of nothing) {
    const { rows } = await database.query(sql)
    if (rows.length > 0) return [`${words}: ${JSON.stringify(rows.slice(0, 3))}`]
  }
  return [...(await resourceBreaches(world, operations)), ...(await ledgerBreaches(world, operations))]
}

/** Accepted operations = terminal + in flight, exactly: the clients' answers match the tables. */
function countBreaches({ book }: World, operations: readonly Operation[]): string[] {
  const known = new Set(operations.map(({ id }) => id))
  return [
    ...(book.open.size > 0 ? [`${book.open.size} writes were told nothing`] : []),
    ...operations.filter(({ id }) => !book.accepted.has(id)).map(({ id, kind }) => `nobody asked for ${kind} ${id}`),
    ...[...book.accepted]
      .filter(([id]) => !known.has(id))
      .map(([id, { kind }]) => `${kind} ${id} was accepted and is lost`),
  ]
}

/**
 * An operation may stay indeterminate only if the provider executed nothing under its reference. No read could prove
 * anything then.
 */
async function restBreaches({ provider }: World, operations: readonly Operation[]): Promise<string[]> {
  const breaches: string[] = []
  for (const { id, kind, state } of operations) {
    if (isEnd(state)) continue
    if (state !== 'indeterminate') breaches.push(`${kind} ${id} is ${state}`)
    else if ((await provider.ledger(id)).some(isExecuted))
      breaches.push(`${kind} ${id} was executed and is indeterminate`)
  }
  return breaches
}

const isExecuted = ({ outcome }: { outcome: string }) => outcome.startsWith('executed')

/** The provider got each reference at most once, knows only our operations, and executed exactly those that succeeded. */
async function ledgerBreaches({ provider }: World, operations: readonly Operation[]): Promise<string[]> {
  const { repeated } = await provider.summary()
  const byId = new Map(operations.map((operation) => [operation.id, operation]))
  const executed = new Set<string>()
  const strangers: string[] = []
  for (const entry of await provider.ledger()) {
    if (isExecuted(entry)) executed.add(entry.client_reference)
    if (byId.get(entry.client_reference)?.kind !== entry.kind)
      strangers.push(`the provider was sent ${entry.kind} ${entry.client_reference}, which is no such operation`)
  }
  return [
    ...repeated.map((each) => `the provider saw a reference more than once: ${JSON.stringify(each)}`),
    ...strangers,
    ...operations
      .filter(({ id, state }) => (state === 'succeeded') !== executed.has(id))
      .map(({ id, kind, state }) => `${kind} ${id} is ${state} and was ${executed.has(id) ? '' : 'not '}executed`),
  ]
}

/** Each resource shows the result of its operations in order. */
async function resourceBreaches({ database }: World, operations: readonly Operation[]): Promise<string[]> {
  const { rows } = await database.query<{ id: string; state: string }>(resources)
  const shown = new Map(rows.map(({ id, state }) => [id, state]))
  const wanted = new Map<string, string>()
  for (const { id, kind, state, resource_id } of operations) {
    const about = kind === 'mandate_transfer' ? id : resource_id
    const next = kindsOracle[kind].shows[isEnd(state) ? state : 'unsettled']
    if (next !== null) wanted.set(about, next)
  }
  return [...wanted]
    .filter(([id, state]) => shown.get(id) !== state)
    .map(([id, state]) => `${id} shows ${shown.get(id) ?? 'nothing'} instead of ${state}`)
}

/** Makes scheduled repairs due now. The test covers the repairs, not their waiting times. */
async function hasten({ database }: World): Promise<void> {
  await database.query(
    `UPDATE reconciler.reconciliations SET next_read_at = now() WHERE settled_at IS NULL AND reads < 6 AND next_read_at > now()`,
  )
  await database.query(`UPDATE beneficiaries.mandate_fences SET leased_until = NULL WHERE leased_until > now()`)
}
