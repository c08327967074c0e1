/**
 * The invariants. They are checked at every commit of every service and at every event of the provider. Invariants that
 * hold only at the end are checked after the faults. The checks read the tables and share no code with the services
 * under test.
 */

import type { OperationKind } from '@financial-agents/contract/kinds'
import { kindsOracle } from '@financial-agents/testkit/kinds-oracle'
import type { Change, Row, Store } from '../virtual/tables.ts'
import { cardValidators, findUnmetCard } from './card-invariants.ts'
import { ceilingValidators, findUnmetCeiling } from './ceiling-invariants.ts'
import {
  type Fence,
  findUnmetMandate,
  type LoweredCaps,
  mandateValidators,
  validateAuthority,
  validateLowered,
} from './mandate-invariants.ts'
import type { ShownCeilings } from './shown-ceilings.ts'
import { type Invariant, Violation } from './violation.ts'
import type { World } from './world.ts'

const terminal: ReadonlySet<unknown> = new Set(['succeeded', 'failed', 'cancelled'])
const beginnings: ReadonlySet<unknown> = new Set(['accepted', 'requires_action'])
const holdingPayload: ReadonlySet<unknown> = new Set(['requires_action', 'accepted', 'submitting'])

const validatedOf = ({ kind }: Row) => kindsOracle[kind as OperationKind]

/**
 * Invariants that hold although a database has gone back. The others compare what the database has with what was answered, sent or
 * executed in the lost time, which it does not know.
 */
const heldAfterLoss: ReadonlySet<Invariant> = new Set(['I1', 'I3', 'I4', 'I5', 'I9', 'process'])

export function watchInvariants(world: World) {
  const { scheduler, provider, stores } = world
  const submitted = new Map<string, number>()
  /** Operations whose claim was committed, even if the row changed later. */
  const claimed = new Set<string>()
  /** Empty until the clients start. */
  const shown: { ceilings: ShownCeilings } = { ceilings: new Map() }
  /** Fences that were confirmed and have not been lifted since. */
  const reported: Fence[] = []
  const lowered: LoweredCaps = new Map()

  /** An end that was reported holds although the database has lost it, unless the log was lost too. */
  const isKnown = (target: string, targetId: string) =>
    !world.goingBack.hasGoneBack() || world.goingBack.isKnownEnd(target, targetId)

  const violate = (invariant: Invariant, message: string): void => {
    if (world.goingBack.hasGoneBack() && !heldAfterLoss.has(invariant)) return
    world.trace(null, `VIOLATION ${invariant}: ${message}`)
    scheduler.fail(new Violation(invariant, message))
  }
  const rowOf = (store: Store, table: string, key: string) => store.tables.get(table)?.rows.get(key)
  const isAccepted = (id: unknown) =>
    world.isPast(id) || rowOf(stores.operations, 'decisions', String(id))?.accepted === true

  /** Returns the state committed by the service that holds the pen. */
  function truthOf(id: string): { state: string; sequence: number } | undefined {
    if (world.isPast(id)) return { state: 'succeeded', sequence: 3 }
    const operation = rowOf(stores.operations, 'operations', id)
    if (!operation) return undefined
    const pen =
      rowOf(stores.reconciler, 'reconciliations', id) ?? rowOf(stores.submitter, 'submissions', id) ?? operation
    return { state: pen.state as string, sequence: pen.sequence as number }
  }

  function validateOutcome(id: string, state: unknown): void {
    const there = provider.truthOf(id)
    // The state of a resource proves it too, and may be the work of an operation that was lost.
    if (state === 'succeeded' && there !== 'succeeded' && !world.goingBack.hasGoneBack())
      violate('I3', `${id} is succeeded and was not executed (${there})`)
    if ((state === 'failed' || state === 'cancelled') && provider.mayStillExecute(id))
      violate('I3', `${id} is ${state}, and the provider has executed it or still may (${there})`)
  }

  /** An operation without an outcome is listed for the background job. */
  function validateListing(id: string): void {
    const state = rowOf(stores.operations, 'operations', id)?.state as string | undefined
    if (state === undefined || terminal.has(state) || rowOf(stores.operations, 'in_flight', id)) return
    const batches = [...(stores.operations.tables.get('in_flight_batches')?.rows.values() ?? [])]
    if (!batches.some(({ operation_ids }) => (operation_ids as string[]).includes(id)))
      violate('I8', `${id} is ${state} and not in flight`)
  }

  const validates: Record<string, (change: Change) => void> = {
    'operations/decisions': ({ key, before, after }) => {
      if (!after) return violate('I5', `the decision on ${key} is gone`)
      if (before && before.accepted !== after.accepted) violate('I5', `the decision on ${key} changed`)
      if (after.accepted && !rowOf(stores.operations, 'operations', key))
        violate('I5', `${key} was accepted without an operation`)
      if (after.accepted && !before) validateLowered(world, { violate, lowered }, key)
    },
    'operations/idempotency_keys': ({ after }) => {
      if (after && !rowOf(stores.operations, 'operations', String(after.operation_id)))
        violate('I5', 'a key without an operation')
    },
    'operations/operations': ({ key, before, after }) => {
      if (!after) return violate('I2', `the operation ${key} is gone`)
      if (!before) validateBeginning(key)
      validateView(key, before, after)
      validateListing(key)
      const holds = after.payload_sealed !== null
      if (holds !== holdingPayload.has(after.state))
        violate('I9', `${key} is ${String(after.state)} ${holds ? 'with' : 'without'} its payload`)
    },
    'operations/in_flight_batches': ({ before }) => {
      for (const id of (before?.operation_ids ?? []) as string[]) validateListing(id)
    },
    'operations/in_flight': ({ key, after }) => {
      if (!after) validateListing(key)
    },
    'operations/history': ({ key, before, after }) => {
      if (before || !after) violate('I2', `history was changed at ${key}`)
    },
    'operations/parked_events': ({ after }) =>
      violate('I2', `operations parked a transition: ${String(after?.reason)} ${JSON.stringify(after?.transition)}`),
    'operations/confirmation_intents': ({ key, before, after }) => {
      if (before?.status === 'consumed' && after && after.consumed_operation_id !== before.consumed_operation_id)
        violate('I5', `the intent ${key} was used twice`)
      if (after?.status === 'consumed' && before?.status !== 'consumed') validateUse(key, after)
      if (after && after.status !== 'pending' && after.status !== 'confirmed' && after.quoted_sealed !== null)
        violate('I9', `the intent ${key} is ${String(after.status)} and still quotes`)
    },
    'submitter/submissions': ({ key, before, after }) => {
      if (after && !before) validateClaim(key, after)
      if (after && after.state !== before?.state) validateOutcome(key, after.state)
      if (after && before && terminal.has(before.state) && before.state !== after.state)
        violate('I2', `${key} left ${String(before.state)} at the submitter`)
    },
    'reconciler/reconciliations': ({ key, before, after }) => {
      if (before && terminal.has(before.state) && after?.state !== before.state)
        violate('I2', `${key} left ${String(before.state)} at the reconciler`)
      if (after && after.state !== before?.state) validateOutcome(key, after.state)
    },
    'reconciler/transitions': (change) => validateProof(change),
  }

  /** A confirmation is about one connection, and ends with it. */
  function validateUse(key: string, { binding_id, consumed_operation_id }: Row): void {
    const used = rowOf(stores.operations, 'operations', String(consumed_operation_id))?.binding_id
    if (binding_id !== null && used !== binding_id)
      violate('I10', `the intent ${key} of the connection ${binding_id as string} was used over ${String(used)}`)
  }

  /** The reconciler ends an operation by its deadline only if it was not and cannot be executed, and says so only then. */
  function validateProof({ after }: Change): void {
    const { operation_id: id, to, failure_code: code } = (after?.body ?? {}) as Record<string, string>
    if (!id || to !== 'failed') return
    if (code === 'submission_expired' && (!provider.provesAbsence() || provider.mayStillExecute(id)))
      violate('I11', `${id} is called expired, and the provider has executed it or still may`)
    if (code !== 'submission_expired' && provider.wasSentUnrefused(id))
      violate('I11', `${id} is called ${code}, and nothing has refused it`)
  }

  function validateBeginning(id: string): void {
    const keys = [...(stores.operations.tables.get('idempotency_keys')?.rows.values() ?? [])]
    if (keys.filter((row) => row.operation_id === id).length !== 1)
      violate('I5', `${id} was accepted without its own key`)
  }

  function validateView(id: string, before: Row | undefined, after: Row): void {
    if (before && (after.sequence as number) < (before.sequence as number)) violate('I2', `the view of ${id} went back`)
    if (before && terminal.has(before.state) && after.state !== before.state)
      violate('I2', `the view of ${id} left ${String(before.state)}`)
    if (before?.state === after.state) return
    // The first move is read from the operation itself.
    const noted = rowOf(stores.operations, 'history', `${id}\u0001${String(after.sequence)}\u0001`)
    const isNoted = before || after.sequence !== 1 ? noted?.to_state === after.state : beginnings.has(after.state)
    if (!isNoted) violate('I2', `the view of ${id} is not what its history says`)
    validateOutcome(id, after.state)
    const ended = validatedOf(after).raises
    // An event of the lost time tells of a claim that was lost with its fence. The area asks for the fence once it has the event.
    if (!ended || after.state !== 'succeeded' || world.goingBack.hasLostEvents()) return
    if (!stores.submitter.tables.get('fences')?.rows.has(`${ended}\u0001${String(after.resource_id)}\u0001`))
      violate('I4', `${id} (${String(after.kind)}) is seen to have succeeded before its fence`)
  }

  /** The end by time of the grant and of the mandate under which the operation is. */
  function endOf(row: Row): Date | null {
    const grantEndsAt = validatedOf(row).passes.includes('grant') ? null : world.grants.endsAt(row.grant_id)
    const mandate = row.kind === 'mandate_transfer' && rowOf(stores.beneficiaries, 'mandates', String(row.mandate_id))
    const ends = [grantEndsAt, mandate ? (mandate.expires_at as Date) : null].filter((end) => end !== null)
    return ends.length === 0 ? null : new Date(Math.min(...ends.map((end) => new Date(end).getTime())))
  }

  /**
   * An operation is cancelled only by a fence that stops its kind, or by the end of its authority. A disconnect's own
   * fence does not stop it.
   */
  function validateCancelled(id: string, row: Row): void {
    const free = validatedOf(row).passes
    const stopping = (['grant', 'client', 'binding', 'mandate'] as const).filter((target) => !free.includes(target))
    const fences = stores.submitter.tables.get('fences')?.rows
    const isStopped = stopping.some((target) => fences?.has(`${target}\u0001${String(row[`${target}_id`])}\u0001`))
    const isOver = (endOf(row)?.getTime() ?? Infinity) <= (row.claimed_at as Date).getTime()
    if (!isStopped && !isOver) violate('I4', `${id} (${String(row.kind)}) was cancelled by nothing that stops it`)
  }

  function validateClaim(id: string, row: Row): void {
    if (row.state === 'cancelled') validateCancelled(id, row)
    if (row.state !== 'submitting') return
    claimed.add(id)
    validateMoney.moving(id)
    if (!isAccepted(id)) violate('I1', `${id} was claimed and never accepted`)
    if (row.kind === 'mandate_transfer') validateAuthority(world, { violate, reported }, row)
    const end = endOf(row)
    if (end && (row.claimed_at as Date) >= end) violate('I4', `${id} was claimed after the end of its authority`)
    if (end && (row.valid_until as Date) > end)
      violate('I4', `${id} may be executed until ${String(row.valid_until)}, and its authority ends before`)
    const free = validatedOf(row).passes
    for (const { target, target_id } of reported)
      if (!free.includes(target) && row[`${target}_id`] === target_id && isKnown(target, target_id))
        violate('I4', `${id} was claimed after the fence of its ${target} had been reported`)
  }

  /** Checks the state that every area with writes shows for its operations. */
  function validateWrite({ key, before, after }: Change): void {
    if (!after || after.state === before?.state) return
    if (after.state === 'void' && isAccepted(key))
      violate('I6', `the draft of ${key} was given up although it was accepted`)
    if (after.state === 'accepted' && !isAccepted(key)) violate('I7', `${key} is shown and was not accepted`)
  }

  function validateOutcomeOfWrite({ key, before, after }: Change): void {
    if (!after || after.outcome === null || after.outcome === before?.outcome) return
    const truth = truthOf(key)
    if (truth?.state !== after.outcome)
      violate('I6', `${key} counts as ${after.outcome as string} in its area and is ${String(truth?.state)}`)
  }

  function validateBeneficiary({ after }: Change): void {
    if (!after || after.state === 'draft' || after.state === 'void') return
    const id = after.operation_id as string
    if (!isAccepted(id)) violate('I7', `a beneficiary is visible and ${id} was not accepted`)
    if (after.state === 'active' && truthOf(id)?.state !== 'succeeded')
      violate('I7', `a beneficiary is active and ${id} is ${String(truthOf(id)?.state)}`)
  }
  validates['beneficiaries/writes'] = (change) => {
    validateWrite(change)
    validateOutcomeOfWrite(change)
  }
  validates['beneficiaries/beneficiaries'] = validateBeneficiary
  Object.assign(validates, mandateValidators(world, { violate, truthOf, isAccepted, reported, lowered }))
  const validateMoney = ceilingValidators(world, shown, { violate, truthOf })
  validates['operations/transfers'] = validateMoney.reserved
  Object.assign(validates, cardValidators(world, { violate, truthOf, isAccepted }))
  for (const area of ['cards', 'spending', 'onboarding'])
    validates[`${area}/writes`] = validates['beneficiaries/writes']
  validates['onboarding/announcements'] = ({ before, after }) => {
    if (after?.fence && after.fenced_at !== null && before?.fenced_at === null)
      reported.push({ target: 'binding', target_id: after.binding_id as string })
  }
  validates['onboarding/bindings'] = ({ key, before, after }) => {
    if (!after) return violate('I7', `the connection ${key} is gone`)
    if (before?.status === 'disconnected' && after.status !== 'disconnected')
      violate('I7', `the connection ${key} was over and is ${String(after.status)}`)
    const beside = [...(stores.onboarding.tables.get('bindings')?.rows.values() ?? [])].filter(
      (row) => row.owner_id === after.owner_id && row.status === 'connected',
    )
    if (beside.length > 1) violate('I7', `an owner has ${beside.length} connections`)
    const pending = after.pending_operation_id as string
    if (after.status === 'disconnecting' && !isAccepted(pending))
      violate('I7', `the connection ${key} is ending and ${pending} was not accepted`)
    if (after.status === 'disconnected' && before?.status === 'disconnecting') {
      const state = truthOf(before.pending_operation_id as string)?.state
      if (!terminal.has(state)) violate('I7', `the connection ${key} is over and its revoke is ${String(state)}`)
    }
    if (after.credentials_sealed !== null || before?.credentials_sealed === null) return
    for (const operation of stores.operations.tables.get('operations')?.rows.values() ?? [])
      if (operation.binding_id === key && !terminal.has(truthOf(operation.id as string)?.state))
        violate('I8', `the credentials of ${key} are gone and ${String(operation.id)} still needs them`)
  }
  for (const area of ['beneficiaries', 'cards', 'spending', 'onboarding'])
    validates[`${area}/parked_events`] = ({ after }) =>
      violate('I2', `${area} parked an event: ${String(after?.reason)}`)

  for (const store of Object.values(stores))
    store.onCommit = (changes) => {
      for (const change of changes) validates[`${store.name}/${change.table.name}`]?.(change)
    }

  /** The amount sent equals the amount reserved against the owner's limits, and the payee is the named beneficiary. */
  function validateSent(id: string, payload: Readonly<Record<string, unknown>>, payee: string | undefined): void {
    const transfers = [...(stores.operations.tables.get('transfers')?.rows.values() ?? [])]
    const reserved = transfers.find((row) => row.operation_id === id)
    const named = rowOf(stores.beneficiaries, 'beneficiaries', String(reserved?.beneficiary_id))
    if (!reserved || payload['amount'] !== reserved.amount || payee !== named?.upstream_reference)
      violate('I10', `${id} sends ${String(payload['amount'])} and ${String(reserved?.amount)} is reserved`)
  }
  world.goingBack.onOldCommit = (changes) => {
    for (const { table, key, after } of changes)
      if (table.name === 'submissions' && after?.state === 'submitting') claimed.add(key)
  }
  world.goingBack.onGoneBack(() => lowered.clear())
  world.watch.onSubmission = ({ reference, kind, payload, target }) => {
    submitted.set(reference, (submitted.get(reference) ?? 0) + 1)
    if (!claimed.has(reference)) violate('I1', `${reference} was submitted without a claim`)
    if ((submitted.get(reference) ?? 0) > 1) violate('I1', `${reference} was submitted twice`)
    if (kind === 'transfer') validateSent(reference, payload, target?.upstreamReference)
  }
  world.watch.onExecuted = ({ reference }) => {
    const state = truthOf(reference)?.state
    if (state === 'failed' || state === 'cancelled') violate('I3', `${reference} is ${state} and was executed`)
  }

  return {
    shown,
    violate,
    truthOf,
    isAccepted,
    reported,
    lowered,
    /** Conditions that do not hold yet. They count as violations once there was enough time for them to hold. */
    leftPayload: (): Violation | null => findLeftPayload(world),
    unmet: (): Violation | null =>
      world.goingBack.hasGoneBack()
        ? (findUndone(world, reported) ?? findUnattended(world))
        : findUnmet(world, truthOf),
  }
}

export type Invariants = ReturnType<typeof watchInvariants>

/**
 * After a loss every operation that the database has still comes to an end, or is read at the provider. Only events of the lost time
 * may have moved one further than the submitter knows; the guide says that an operator has to look at it.
 */
function findUnattended({ stores, goingBack }: World): Violation | null {
  for (const { id, state } of stores.operations.tables.get('operations')?.rows.values() ?? []) {
    const reading = stores.reconciler.tables.get('reconciliations')?.rows.get(String(id))
    if (terminal.has(state) || reading?.next_read_at) continue
    if (state !== 'accepted' && goingBack.hasLostEvents()) continue
    return new Violation('I8', `${String(id)} rests in ${String(state)} and nobody looks after it`)
  }
  return null
}

/** After a loss every end that was reported is in force again, and so nothing was undone silently. */
function findUndone({ stores, goingBack }: World, reported: readonly Fence[]): Violation | null {
  const fences = stores.submitter.tables.get('fences')?.rows
  for (const { target, target_id } of reported)
    if (!fences?.has(`${target}\u0001${target_id}\u0001`) && goingBack.isKnownEnd(target, target_id))
      return new Violation('I4', `the end of ${target} ${target_id} was reported and is undone`)
  return null
}

function findUnmet(world: World, truthOf: (id: string) => { state: string; sequence: number } | undefined) {
  const { stores, provider } = world
  const rows = (store: Store, table: string) => [...(store.tables.get(table)?.rows.values() ?? [])]
  const areas = [stores.beneficiaries, stores.cards, stores.spending, stores.onboarding]
  const writes = areas.flatMap((area) => rows(area, 'writes'))
  const writesOf = new Map(writes.map((write) => [write.operation_id, write]))
  for (const operation of rows(stores.operations, 'operations')) {
    const id = operation.id as string
    const truth = truthOf(id)
    if (truth?.state !== operation.state || truth?.sequence !== operation.sequence)
      return new Violation('I8', `${id} is shown as ${String(operation.state)} and is ${String(truth?.state)}`)
    const reading = stores.reconciler.tables.get('reconciliations')?.rows.get(id)
    const isOpen = operation.state === 'indeterminate' || operation.state === 'submitted'
    if (!terminal.has(operation.state) && !(isOpen && reading?.next_read_at))
      return new Violation('I8', `${id} rests in ${String(operation.state)} and nobody looks after it`)
    const there = provider.truthOf(id)
    const isLost = provider.isLostFromSight(id)
    if (isLost && operation.state === 'submitted')
      return new Violation('I8', `${id} is called submitted and the provider no longer shows it`)
    if (isOpen && !isLost && there === 'succeeded')
      return new Violation('I8', `${id} is ${operation.state as string} and was executed`)
    if (operation.state === 'indeterminate' && there === 'never arrived' && provider.provesAbsence())
      return new Violation('I8', `${id} rests in indeterminate and its absence can be proven`)
    const write = writesOf.get(id)
    const outcome = terminal.has(operation.state) ? operation.state : null
    if (write?.state !== 'accepted' || write.outcome !== outcome)
      return new Violation('I8', `${id} is ${String(operation.state)} and its area believes ${String(write?.state)}`)
  }
  for (const write of writes) {
    const id = write.operation_id as string
    if (write.state === 'draft') return new Violation('I8', `the draft of ${id} is not decided`)
    if (write.state === 'accepted' && !stores.operations.tables.get('operations')?.rows.has(id))
      return new Violation('I7', `${id} is shown and is no operation`)
    if (write.state === 'void' && stores.operations.tables.get('decisions')?.rows.get(id)?.accepted !== false)
      return new Violation('I6', `the draft of ${id} is void and operations has not decided so`)
  }
  for (const binding of rows(stores.onboarding, 'bindings')) {
    const pending = writesOf.get(binding.pending_operation_id)
    const id = String(binding.id)
    if (binding.status !== 'connected' && !stores.submitter.tables.get('fences')?.rows.has(`binding\u0001${id}\u0001`))
      return new Violation('I4', `the connection ${id} is ${String(binding.status)} without its fence`)
    if (binding.pending_operation_id !== null && (!pending || pending.settled))
      return new Violation('I7', `a connection waits for ${binding.pending_operation_id as string}, which has ended`)
  }
  return findUnmetMandate(world) ?? findUnmetCard(world) ?? findUnmetCeiling(world)
}

/** Marks the content of a payload, so that the simulator finds it in any place. */
export const secret = 'PT50000201231234567890154'

function findLeftPayload({ stores, network }: World): Violation | null {
  for (const store of Object.values(stores))
    for (const [name, table] of store.tables)
      for (const row of table.rows.values())
        if (JSON.stringify(row).includes(secret)) return new Violation('I9', `${store.name}.${name} holds a payload`)
  if (network.messages().some((text) => text.includes(secret) || text.includes('payload')))
    return new Violation('I9', 'a stream holds a payload')
  return null
}
