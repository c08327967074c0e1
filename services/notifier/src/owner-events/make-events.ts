/**
 * Turns noted payments into events: the first one to a payee, an uncertain one, and the limits of its mandate that are nearly
 * used. The facts are asked from the services that hold them. If one does not answer, the candidates wait.
 */

import type { Bus } from '@financial-agents/bus/connect'
import { newContext } from '@financial-agents/bus/headers'
import type { CapUse, OwnerPayment } from '@financial-agents/bus/messages/owner-events'
import { call } from '@financial-agents/bus/rpc'
import { compareDecimals } from '@financial-agents/contract/decimals'
import { writtenAmount } from '@financial-agents/contract/minor-units'
import type { OwnerEvent } from '@financial-agents/contract/schemas/owner-event'
import { inDigits } from '@financial-agents/contract/schemas/primitives'
import type { Database } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'
import { type Candidate, leaseCandidates, removeCandidates } from './candidates.ts'
import { type KeyedEvent, recordEvents } from './event-store.ts'
import { type Owners, readOwners } from './owners.ts'

export type MakeDependencies = { bus: Bus; db: Database; clock: Pick<Clock, 'now'>; capPercent: number }

const batch = 200
const patienceMs = 5_000

/** Returns true if more candidates are due, and calls `onDue` if an event is new. */
export async function makeEvents(dependencies: MakeDependencies, onDue: () => void): Promise<boolean> {
  const { bus, db, clock } = dependencies
  const candidates = await leaseCandidates(db, clock.now(), batch)
  if (candidates.length === 0) return false
  const operation_ids = [...new Set(candidates.map(({ operation_id }) => operation_id))]
  const payments = await call(bus, 'int.operations.owner-payments', { operation_ids }, newContext(patienceMs))
  const known = new Map(payments.map((payment) => [payment.operation_id, payment]))
  const mandates = payments.flatMap(({ mandate_id, accepted_at }) =>
    mandate_id === null ? [] : [{ mandate_id, at: accepted_at }],
  )
  const caps =
    mandates.length === 0 ? [] : await call(bus, 'int.beneficiaries.cap-use', { mandates }, newContext(patienceMs))
  const near = nearlyUsed(caps, dependencies.capPercent)
  const owners = await readOwners(bus, [...payments, ...near])
  const events = [
    ...candidates.flatMap((candidate) => paymentEvents(candidate, known.get(candidate.operation_id), owners)),
    ...near.map((cap) => capEvent(cap, owners, clock.now())),
  ]
  const recorded = await db.transaction(async (tx) => {
    const count = await recordEvents(tx, events, clock.now())
    await removeCandidates(tx, candidates)
    return count
  })
  if (recorded > 0) onDue()
  return candidates.length === batch
}

function paymentEvents({ about, at }: Candidate, payment: OwnerPayment | undefined, owners: Owners): KeyedEvent[] {
  if (!payment) return []
  const { is_first, owner_id, accepted_at, ...facts } = payment
  const data = { owner: owners.of(owner_id), ...inDigits(facts) }
  if (about === 'uncertain') {
    const event = { type: 'owner.payment_uncertain', timestamp: at.toISOString(), data } as const
    return [{ key: `uncertain ${payment.operation_id}`, event }]
  }
  if (!is_first) return []
  const event = { type: 'owner.first_payment', timestamp: accepted_at, data } as const
  return [{ key: `first ${owner_id} ${payment.beneficiary_id}`, event }]
}

/**
 * The limits of which at least this part is used. A limit that equals the next wider one is left out, because the wider one says
 * the same and stays longer.
 */
export function nearlyUsed(caps: readonly CapUse[], percent: number): CapUse[] {
  return caps.filter((cap, index) => {
    const wider = caps[index + 1]
    const isSame = wider?.mandate_id === cap.mandate_id && wider.currency !== null
    if (isSame && compareDecimals(wider.limit, cap.limit) === 0) return false
    return cap.used_percent >= percent
  })
}

function capEvent({ owner_id, used_percent: _part, ...facts }: CapUse, owners: Owners, now: Date): KeyedEvent {
  const { currency } = facts
  const written = (decimal: string) => (currency === null ? decimal : writtenAmount(decimal, currency))
  const data = { owner: owners.of(owner_id), ...facts, limit: written(facts.limit), used: written(facts.used) }
  const event: OwnerEvent = { type: 'owner.cap_nearly_used', timestamp: now.toISOString(), data }
  return { key: `cap ${facts.mandate_id} ${facts.cap} ${facts.period_start ?? ''}`, event }
}
