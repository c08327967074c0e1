/**
 * Invariants of mandates: reservations and limits (I6), their states (I7), their fences (I4), and the grants that use
 * them (I10).
 */

import type { OracleFence } from '@financial-agents/testkit/kinds-oracle'
import { BigNumber } from 'bignumber.js'
import type { Change, Row } from '../virtual/tables.ts'
import { type Invariant, Violation } from './violation.ts'
import type { World } from './world.ts'

export type Fence = { target: OracleFence; target_id: string }

type MandateContext = {
  violate: (invariant: Invariant, message: string) => void
  truthOf: (id: string) => { state: string } | undefined
  isAccepted: (id: unknown) => boolean
  reported: Fence[]
  lowered: LoweredCaps
}

/** The limits that owners read hold from now on, by mandate. */
export type LoweredCaps = Map<string, Readonly<Record<(typeof loweredCaps)[number], string>>>
export const loweredCaps = ['per_payment_max', 'daily_max', 'weekly_max', 'monthly_max', 'total_cap'] as const

const fencedStates: ReadonlySet<unknown> = new Set([
  'suspending',
  'suspended',
  'revoking',
  'revoked',
  'revocation_failed',
])

const rowsOf = (world: World, table: string): Row[] => [
  ...(world.stores.beneficiaries.tables.get(table)?.rows.values() ?? []),
]

export function mandateValidators(world: World, known: MandateContext): Record<string, (change: Change) => void> {
  const { violate, truthOf, isAccepted, reported } = known
  const isVoid = (id: string) => world.stores.operations.tables.get('decisions')?.rows.get(id)?.accepted === false
  return {
    'beneficiaries/mandate_reservations': ({ key, before, after }) => {
      if (!after) return
      if (after.released_at !== null && before?.released_at === null) {
        const state = truthOf(key)?.state
        if (!isVoid(key) && state !== 'failed' && state !== 'cancelled')
          violate('I6', `the reservation of ${key} was released and it is ${String(state)}`)
      }
      if (!before) validateCaps(world, known, after.mandate_id)
    },
    'beneficiaries/mandates': ({ key, before, after }) => {
      if (before && after && loweredCaps.some((cap) => before[cap] !== after[cap])) validateCaps(world, known, key)
      if (!after || after.state === before?.state || after.state === 'draft' || after.state === 'void') return
      const created = after.operation_id as string
      if (!isAccepted(created)) violate('I7', `the mandate ${key} is visible and ${created} was not accepted`)
      const wanted = after.state === 'failed' ? ['failed', 'cancelled'] : ['succeeded']
      if (after.state !== 'pending' && !wanted.includes(String(truthOf(created)?.state)))
        violate(
          'I7',
          `the mandate ${key} is ${String(after.state)} and ${created} is ${String(truthOf(created)?.state)}`,
        )
      if (before && fencedStates.has(before.state) && !fencedStates.has(after.state))
        violate('I4', `the mandate ${key} was ${String(before.state)} and is ${String(after.state)} again`)
      const proof = proofs[String(after.state)]
      if (proof && !hasEnded(world, known, key, proof))
        violate('I7', `the mandate ${key} is ${String(after.state)} unproved`)
    },
    'beneficiaries/mandate_fences': ({ key, after }) => {
      const index = reported.findIndex(({ target, target_id }) => target === 'mandate' && target_id === key)
      if (after?.confirmed === true && index < 0) reported.push({ target: 'mandate', target_id: key })
    },
  }
}

/**
 * I6: no payment that is accepted after the owner was notified of lower limits exceeds them. Compares the reserved amounts
 * with the limits of the answer to the owner, never with a limit in a table.
 */
export function validateLowered(
  world: World,
  { violate, lowered }: Pick<MandateContext, 'violate' | 'lowered'>,
  id: string,
): void {
  const held = rowsOf(world, 'mandate_reservations').filter(({ released_at }) => released_at === null)
  const paid = held.find(({ operation_id }) => operation_id === id)
  const caps = lowered.get(String(paid?.mandate_id))
  if (!paid || !caps) return
  const rows = held.filter(({ mandate_id }) => mandate_id === paid.mandate_id)
  const exceeds = (some: readonly Row[], cap: string) => sumOf(some).gt(cap)
  const within = (window: string) => rows.filter((row) => row[window] === paid[window])
  if (exceeds([paid], caps.per_payment_max)) violate('I6', `${id} was accepted above a lower cap of one payment`)
  if (exceeds(within('day'), caps.daily_max)) violate('I6', `${id} was accepted above a lower cap of a day`)
  if (exceeds(within('week'), caps.weekly_max)) violate('I6', `${id} was accepted above a lower cap of a week`)
  if (exceeds(within('month'), caps.monthly_max)) violate('I6', `${id} was accepted above a lower cap of a month`)
  if (exceeds(rows, caps.total_cap)) violate('I6', `${id} was accepted above a lower cap in all`)
}

const sumOf = (rows: readonly Row[]) => rows.reduce((total, row) => total.plus(row.amount as string), new BigNumber(0))

/**
 * I10: only a grant that the owner agreed to may claim a transfer under a mandate. The owner agreed with the mandate or
 * later. The end of that grant has not been reported.
 */
export function validateAuthority(
  world: World,
  { violate, reported }: Pick<MandateContext, 'violate' | 'reported'>,
  row: Row,
): void {
  const { mandate_id, client_id, grant_id } = row as Record<string, string>
  const mandate = rowsOf(world, 'mandates').find(({ id }) => id === mandate_id)
  const intents = world.stores.operations.tables.get('confirmation_intents')?.rows.values() ?? []
  const intent = [...intents].find(({ consumed_operation_id }) => consumed_operation_id === mandate?.operation_id)
  const payer = { client_id: client_id ?? '', grant_id: grant_id ?? '' }
  if (!world.grants.hasAgreed(mandate_id ?? '', intent?.id as string | undefined, payer))
    violate('I10', `${String(grant_id)} claims under ${String(mandate_id)} and its owner has never agreed to that`)
  const isWritten = rowsOf(world, 'mandate_authorities').some(
    (one) => one.mandate_id === mandate_id && one.client_id === client_id && one.grant_id === grant_id,
  )
  if (!isWritten) violate('I10', `${String(grant_id)} claims under ${String(mandate_id)} and has no authority there`)
  if (reported.some(({ target, target_id }) => target === 'grant' && target_id === grant_id))
    violate('I10', `${String(grant_id)} claims under ${String(mandate_id)} after its end had been reported`)
}

type Proof = { kind: string; ends: readonly string[] }

/**
 * The operation that has ended before a mandate is in the state, with its possible ends. A mandate is suspended even if its
 * suspension fails.
 */
const proofs: Readonly<Record<string, Proof>> = {
  suspended: { kind: 'mandate_suspend', ends: ['succeeded', 'failed', 'cancelled'] },
  revoked: { kind: 'mandate_revoke', ends: ['succeeded'] },
}

function hasEnded(world: World, { truthOf }: MandateContext, mandateId: string, { kind, ends }: Proof): boolean {
  return rowsOf(world, 'writes').some(
    (write) =>
      write.kind === kind &&
      write.resource_id === mandateId &&
      ends.includes(truthOf(write.operation_id as string)?.state ?? ''),
  )
}

/** The reserved amounts never exceed a limit. The sum is computed here and does not use the sums in the tables. */
function validateCaps(world: World, { violate }: MandateContext, mandateId: unknown): void {
  const mandate = rowsOf(world, 'mandates').find((row) => row.id === mandateId)
  const held = rowsOf(world, 'mandate_reservations').filter(
    (row) => row.mandate_id === mandateId && row.released_at === null,
  )
  if (!mandate) return violate('I6', 'a reservation without a mandate')
  if (sumOf(held).gt(mandate.total_cap as string)) violate('I6', 'more is reserved than the total cap')
  if (held.length > (mandate.payment_count as number)) violate('I6', 'more payments are reserved than there may be')
  const windows = [
    ['day', 'daily_max'],
    ['week', 'weekly_max'],
    ['month', 'monthly_max'],
  ] as const
  for (const [window, cap] of windows)
    for (const some of Map.groupBy(held, (row) => row[window]).values())
      if (sumOf(some).gt(mandate[cap] as string)) violate('I6', `more is reserved in a ${window} than its cap`)
}

/**
 * At the end: reservations match their operations, no mandate waits for an ended operation, and fences match the
 * states.
 */
export function findUnmetMandate(world: World): Violation | null {
  const operations = world.stores.operations.tables.get('operations')?.rows
  const released = new Map(
    rowsOf(world, 'mandate_reservations').map((row) => [row.operation_id, row.released_at !== null]),
  )
  for (const write of rowsOf(world, 'writes')) {
    if (write.kind !== 'mandate_transfer') continue
    const state = operations?.get(write.operation_id as string)?.state
    const isReleased = write.state === 'void' || state === 'failed' || state === 'cancelled'
    if (released.get(write.operation_id) !== isReleased)
      return new Violation(
        'I6',
        `the reservation of ${String(write.operation_id)} is not as its operation (${String(state)})`,
      )
  }
  for (const mandate of rowsOf(world, 'mandates')) {
    for (const waiting of ['suspend_operation_id', 'revoke_operation_id']) {
      const state = operations?.get(mandate[waiting] as string)?.state
      if (mandate[waiting] !== null && ['succeeded', 'failed', 'cancelled', undefined].includes(state as string))
        return new Violation('I7', `a mandate waits for an operation that is ${String(state)}`)
    }
    const id = String(mandate.id)
    const isFenced = world.stores.submitter.tables.get('fences')?.rows.has(`mandate\u0001${id}\u0001`) === true
    if (isFenced !== fencedStates.has(mandate.state))
      return new Violation('I4', `a mandate is ${String(mandate.state)} ${isFenced ? 'with' : 'without'} its fence`)
  }
  return null
}
