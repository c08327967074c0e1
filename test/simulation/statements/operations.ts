/**
 * In-memory models of the operations service's statements. Each in-memory model does to the tables in memory what its SQL does to the tables
 * of PostgreSQL. The differential test compares the two.
 */

import { holdsPayload, terminalStates, transitions } from '@financial-agents/contract/machine'
import type { Models } from '../virtual/database.ts'
import type { Row, Steps, TablePlan, Transaction } from '../virtual/tables.ts'
import { approvalsModels, viewColumns } from './approvals.ts'
import { by, date, dateOrNull, latest, lockWhere, pick, pruneModel, takeSkippingLocked, time, unnest } from './sql.ts'
import { transfersModels, transfersTables } from './transfers.ts'
import { countMark, witnessModels, witnessTables } from './witness.ts'

const legal: ReadonlySet<string> = new Set(
  transitions.map((row) => [row.from ?? 'new', row.event, row.to, row.by].join('>')),
)

const isTerminal = ({ state }: Row) => (terminalStates as readonly unknown[]).includes(state)

export const operationsTables = {
  ...witnessTables,
  decisions: { key: ['operation_id'] },
  idempotency_keys: { key: ['owner_id', 'client_id', 'key', 'route'] },
  operations: {
    key: ['id'],
    refuses: (row) =>
      row.payload_sealed !== null && !holdsPayload(row.state as Parameters<typeof holdsPayload>[0])
        ? 'payload_gone_with_outcome'
        : undefined,
  },
  history: {
    key: ['operation_id', 'sequence'],
    refuses: (row) =>
      legal.has([row.from_state, row.event, row.to_state, row.moved_by].join('>')) ? undefined : 'illegal transition',
  },
  in_flight_batches: { key: ['batch_id'] },
  in_flight: { key: ['operation_id'] },
  grants: { key: ['grant_id', 'owner_id', 'client_id'] },
  parked_events: { key: ['digest'] },
  confirmation_intents: {
    key: ['id'],
    refuses: (row) =>
      (row.status === 'consumed') === (row.consumed_operation_id !== null) ? undefined : 'consumed_by_an_operation',
  },
  approvals: { key: ['operation_id'] },
  ...transfersTables,
} as const satisfies Record<string, TablePlan>

const intentColumns = [
  'id',
  'owner_id',
  'client_id',
  'grant_id',
  'action',
  'request_hash',
  'binding_id',
  'summary',
  'facts',
  'quoted_sealed',
  'status',
  'created_at',
  'expires_at',
  'decided_at',
  'consumed_operation_id',
]
const noView = Object.fromEntries(viewColumns.map((name) => [name, null]))
const historyKey = (row: Row) => `${String(row.operation_id)}\u0001${String(row.sequence)}\u0001`

const itemColumns = [
  'id',
  'owner_id',
  'subject',
  'client_id',
  'grant_id',
  'binding_id',
  'mandate_id',
  'kind',
  'resource_type',
  'resource_id',
  'target_reference',
  'payload_sealed',
  'traceparent',
]

const lookAgainMs = 3_600_000

/** The pause until the background job looks at an operation again, in ms. */
function pauseFor(row: Row, now: unknown, pauses: readonly unknown[]): number {
  const [shortest = 0, longest = 0] = pauses.map((text) => Number.parseInt(text as string, 10))
  if (row.state !== 'accepted') return lookAgainMs
  return Math.min(Math.max(time(now) - time(row.accepted_at), shortest), longest)
}

function* insertOperations(tx: Transaction, values: readonly unknown[]): Steps<Row[]> {
  const [now, publishAfter] = [date(values[15]), date(values[16])]
  yield* countMark(tx, values.slice(17))
  const ids = values[0] as string[]
  yield* tx.insert('in_flight_batches', { batch_id: ids[0], operation_ids: ids, publish_after: publishAfter })
  for (const item of unnest([...itemColumns, 'state', 'authority_ends_at'], values)) {
    yield* tx.insert('operations', {
      ...item,
      authority_ends_at: dateOrNull(item.authority_ends_at),
      payload_sealed: Buffer.from(item.payload_sealed as string, 'base64'),
      sequence: 1,
      failure_code: null,
      failure_detail: null,
      upstream_reference: null,
      resource_facts: null,
      next_reconcile_at: null,
      action_required: null,
      created_at: now,
      updated_at: now,
      accepted_at: item.state === 'accepted' ? now : null,
    })
  }
  return []
}

const historyColumns = [
  'operation_id',
  'sequence',
  'from_state',
  'event',
  'to_state',
  'moved_by',
  'at',
  'failure_code',
  'reason',
  'evidence',
  'claimed_at',
]

const historyRows = (values: readonly unknown[]): Row[] =>
  unnest(historyColumns, values).map((item) => ({
    ...item,
    at: date(item.at),
    claimed_at: dateOrNull(item.claimed_at),
    evidence: item.evidence === null ? null : (JSON.parse(item.evidence as string) as unknown),
  }))

function* moveViews(tx: Transaction, values: readonly unknown[]): Steps<Row[]> {
  const items = unnest(
    [
      'id',
      'sequence',
      'state',
      'at',
      'failure_code',
      'failure_detail',
      'upstream_reference',
      'next_reconcile_at',
      'holds_payload',
      'from_sequence',
      'resource',
    ],
    values.slice(11, 22),
  )
  const moved: Row[] = []
  for (const item of items) {
    const id = item.id as string
    if (tx.get('operations', id)?.sequence !== item.from_sequence) continue
    const row = yield* tx.lock('operations', id)
    if (row?.sequence !== item.from_sequence) continue
    tx.update('operations', id, {
      ...pick(item, ['state', 'sequence', 'failure_code', 'failure_detail', 'upstream_reference']),
      next_reconcile_at: dateOrNull(item.next_reconcile_at),
      updated_at: latest(row?.updated_at, item.at),
      payload_sealed: item.holds_payload ? row?.payload_sealed : null,
      action_required: null,
      resource_facts: item.resource === null ? row?.resource_facts : JSON.parse(item.resource as string),
    })
    moved.push({ id })
  }
  for (const operation_id of values[22] as string[])
    if (tx.get('in_flight', operation_id) && (yield* tx.lock('in_flight', operation_id)))
      tx.remove('in_flight', operation_id)
  const isMoved = new Set(moved.map(({ id }) => id))
  for (const row of historyRows(values)) if (isMoved.has(row.operation_id)) yield* tx.insert('history', row)
  return moved
}

type WhenTaken = 'nothing' | 'error'

function insertDecisions(whenTaken: WhenTaken) {
  return function* (tx: Transaction, values: readonly unknown[]): Steps<Row[]> {
    const now = date(values[4])
    const inserted: Row[] = []
    const items = unnest(['operation_id', 'offer_id', 'accepted', 'request_hash'], values)
    for (const item of items.toSorted(by('operation_id')))
      if (yield* tx.insert('decisions', { ...item, decided_at: now }, whenTaken))
        inserted.push({ offer_id: item.offer_id })
    return inserted
  }
}

export const operationsModels: Models = {
  ...approvalsModels,
  ...transfersModels,
  ...witnessModels,
  *look_up_keys(tx, values) {
    return unnest(['owner_id', 'client_id', 'key', 'route'], values).flatMap((item, index) => {
      const key = tx.get('idempotency_keys', tx.table('idempotency_keys').keyOf(item))
      const operation = key && tx.get('operations', key.operation_id as string)
      const decision = key && tx.get('decisions', key.operation_id as string)
      if (!key || !operation || !decision) return []
      return [
        {
          position: index + 1,
          ...pick(key, ['request_hash', 'expires_at']),
          ...pick(decision, ['offer_id']),
          ...pick(operation, viewColumns),
        },
      ]
    })
  },
  // The tables of the simulation have no partitions, and nothing is archived: the horizon never moves.
  *make_months() {
    return [{ made: 0 }]
  },
  *archive_lock() {
    return [{}]
  },
  *archive_horizon() {
    return []
  },
  insert_decisions: insertDecisions('error'),
  insert_decisions_not_taken: insertDecisions('nothing'),
  *withdraw_decisions(tx, [ids]) {
    for (const id of ids as string[])
      if (yield* tx.lock('decisions', id)) tx.update('decisions', id, { accepted: false })
    return []
  },
  *look_up_decisions(tx, [ids]) {
    return (ids as string[]).flatMap((id, index) => {
      const decision = tx.get('decisions', id)
      if (!decision) return []
      const operation = decision.accepted ? tx.get('operations', id) : undefined
      return [
        {
          position: index + 1,
          ...pick(decision, ['accepted', 'offer_id', 'request_hash']),
          ...(operation
            ? pick(operation, ['owner_id', 'client_id', ...viewColumns])
            : { owner_id: null, client_id: null, ...noView }),
        },
      ]
    })
  },
  *void_undecided(tx, [ids, now]) {
    for (const operation_id of (ids as string[]).toSorted())
      yield* tx.insert(
        'decisions',
        { operation_id, offer_id: null, accepted: false, request_hash: null, decided_at: date(now) },
        'nothing',
      )
    return []
  },
  *decided_states(tx, [ids]) {
    return (ids as string[]).flatMap((operation_id) => {
      const decision = tx.get('decisions', operation_id)
      if (!decision) return []
      const operation = decision.accepted ? tx.get('operations', operation_id) : undefined
      const { resource_facts: resource = null } = operation ?? {}
      const columns = ['state', 'sequence', 'upstream_reference']
      return [{ operation_id, accepted: decision.accepted, ...pick(operation ?? {}, columns), resource }]
    })
  },
  *insert_keys(tx, values) {
    const columns = ['owner_id', 'client_id', 'key', 'route', 'request_hash', 'operation_id']
    const inserted: Row[] = []
    const stamp = { created_at: date(values[6]), expires_at: date(values[7]) }
    for (const item of unnest(columns, values).toSorted(by('owner_id', 'client_id', 'key', 'route')))
      if (yield* tx.insert('idempotency_keys', { ...item, ...stamp }, 'nothing'))
        inserted.push({ operation_id: item.operation_id })
    return inserted
  },
  *find_ids_of_key(tx, [owner, client, key]) {
    return tx
      .all('idempotency_keys')
      .filter((row) => row.owner_id === owner && row.client_id === client && row.key === key)
      .map((row) => pick(row, ['operation_id']))
  },
  insert_operations: insertOperations,
  *find_operations(tx, values) {
    return unnest(['id', 'owner_id', 'subject', 'client_id'], values).flatMap((item, index) => {
      const row = tx.get('operations', item.id as string)
      const same = (name: string) => row?.[name] === item[name]
      if (!row || !same('owner_id') || !same('subject') || !same('client_id')) return []
      return [{ position: index + 1, ...pick(row, viewColumns) }]
    })
  },
  /** Clients of a seed filter by the key alone, so the values are owner, client, subject, then ids, then the limit. */
  *list_operations(tx, values) {
    const [owner, client, subject, ...rest] = values
    const ids = new Set(rest.slice(0, -1))
    const mine = (row: Row) =>
      row.owner_id === owner && row.client_id === client && row.subject === subject && ids.has(row.id)
    return tx
      .all('operations')
      .filter(mine)
      .toSorted((a, b) => by('created_at', 'id')(b, a))
      .slice(0, rest.at(-1) as number)
      .map((row) => pick(row, viewColumns))
  },
  *find_payloads(tx, [ids]) {
    return (ids as string[]).flatMap((id) => {
      const row = tx.get('operations', id)
      return row
        ? [
            pick(row, [
              'id',
              'kind',
              'resource_id',
              'state',
              'sequence',
              'owner_id',
              'subject',
              'client_id',
              'grant_id',
              'binding_id',
              'mandate_id',
              'authority_ends_at',
              'target_reference',
              'accepted_at',
              'traceparent',
              'payload_sealed',
            ]),
          ]
        : []
    })
  },
  *take_unclaimed(tx, [now, limit, ...pauses]) {
    const due = yield* takeSkippingLocked(tx, 'in_flight', {
      where: (row) => time(row.publish_after) <= time(now),
      order: by('operation_id'),
      limit: limit as number,
    })
    return due.flatMap(({ operation_id }) => {
      const row = tx.get('operations', operation_id as string)
      if (!row) return []
      const publish_after = new Date(time(now) + pauseFor(row, now, pauses))
      tx.update('in_flight', operation_id as string, { publish_after })
      return [{ taken: row.id, ...pick(row, ['id', 'kind', 'traceparent', 'state']) }]
    })
  },
  *take_unclaimed_batches(tx, [now, limit, ...pauses]) {
    const due = yield* takeSkippingLocked(tx, 'in_flight_batches', {
      where: (row) => time(row.publish_after) <= time(now),
      order: by('batch_id'),
      limit: limit as number,
    })
    return due.flatMap((batch): Row[] => {
      const taken = batch.batch_id as string
      const ids = batch.operation_ids as string[]
      const seen = ids
        .flatMap((id): Row[] => [tx.get('operations', id) ?? []].flat())
        .filter((row) => !isTerminal(row))
        .toSorted(by('id'))
      if (seen.length === 0) {
        tx.remove('in_flight_batches', taken)
        return [{ taken, id: null, kind: null, traceparent: null, state: null }]
      }
      const pause = Math.min(...seen.map((row) => pauseFor(row, now, pauses)))
      const publish_after = new Date(time(now) + pause)
      tx.update('in_flight_batches', taken, { operation_ids: seen.map(({ id }) => id), publish_after })
      return seen.map((row) => ({ taken, ...pick(row, ['id', 'kind', 'traceparent', 'state']) }))
    })
  },
  *unsettled_bindings(tx, [bindings]) {
    const named = (row: Row) => !isTerminal(row) && (bindings as unknown[]).includes(row.binding_id)
    return [
      ...new Set(
        [
          ...tx.all('in_flight').map(({ operation_id }) => operation_id as string),
          ...tx.all('in_flight_batches').flatMap(({ operation_ids }) => operation_ids as string[]),
        ]
          .flatMap((id): Row[] => [tx.get('operations', id) ?? []].flat())
          .filter(named)
          .map((row) => row.binding_id),
      ),
    ].map((binding_id) => ({
      binding_id,
    }))
  },
  *find_standings(tx, [ids]) {
    return (ids as string[]).flatMap((id) => {
      const row = tx.get('operations', id)
      return row ? [pick(row, ['id', 'state', 'sequence', 'accepted_at'])] : []
    })
  },
  *insert_history(tx, values) {
    for (const row of historyRows(values)) yield* tx.insert('history', row, 'nothing')
    return []
  },
  *held_history(tx, values) {
    const columns = ['operation_id', 'sequence', 'from_state', 'event', 'to_state']
    const claim = { from_state: 'accepted', event: 'claim', to_state: 'submitting' }
    const begun = { from_state: 'new', event: 'accept', to_state: 'accepted' }
    return unnest(columns, values).flatMap((item, index) => {
      const next = tx.get('history', historyKey({ ...item, sequence: (item.sequence as number) + 1 }))
      const held: Row | undefined =
        tx.get('history', historyKey(item)) ??
        (next && next.claimed_at !== null ? claim : undefined) ??
        (item.sequence === 1 ? begun : undefined)
      if (!held) return []
      const equal = ['from_state', 'event', 'to_state'].every((name) => held[name] === item[name])
      return [{ position: index + 1, equal }]
    })
  },
  *insert_grants(tx, values) {
    const order = ['grant_id', 'owner_id', 'client_id']
    for (const item of unnest(order, values).toSorted(by(...order))) yield* tx.insert('grants', item, 'nothing')
    return []
  },
  move_views: moveViews,
  *plan_reads(tx, values) {
    for (const item of unnest(['id', 'sequence', 'at'], values)) {
      const id = item.id as string
      if (tx.get('operations', id)?.sequence !== item.sequence) continue
      const row = yield* tx.lock('operations', id)
      if (row?.sequence !== item.sequence) continue
      tx.update('operations', id, { next_reconcile_at: latest(row?.next_reconcile_at, item.at) })
    }
    return []
  },
  *park_events(tx, values) {
    const parked: Row[] = []
    const items = unnest(['digest', 'operation_id', 'reason', 'transition'], values).map((item) => ({
      ...item,
      digest: (item.digest as Buffer).toString('hex'),
      transition: JSON.parse(item.transition as string) as unknown,
      parked_at: date(values[4]),
    }))
    for (const item of items.toSorted(by('digest')))
      if (yield* tx.insert('parked_events', item, 'nothing')) parked.push(pick(item, ['operation_id', 'reason']))
    return parked
  },
  *insert_intent(tx, values) {
    const columns = ['id', 'owner_id', 'client_id', 'grant_id', 'action', 'request_hash', 'summary', 'quoted_sealed']
    const given = Object.fromEntries(columns.map((name, index) => [name, values[index]]))
    yield* tx.insert('confirmation_intents', {
      ...given,
      status: 'pending',
      created_at: date(values[8]),
      expires_at: date(values[9]),
      decided_at: null,
      authenticated_at: null,
      consumed_operation_id: null,
      facts: values[10] === null ? null : (JSON.parse(values[10] as string) as unknown),
      binding_id: values[11],
    })
    return []
  },
  *find_intent(tx, [id, owner]) {
    const row = tx.get('confirmation_intents', id as string)
    return row?.owner_id === owner ? [pick(row ?? {}, intentColumns)] : []
  },
  *decide_intent(tx, [id, owner, status, now, authenticatedAt]) {
    const open = (row: Row | undefined) =>
      row?.owner_id === owner &&
      (row?.status === 'pending' || (row?.status === 'confirmed' && status === 'declined')) &&
      time(row.expires_at) > time(now)
    if (!open(tx.get('confirmation_intents', id as string))) return []
    if (!open(yield* tx.lock('confirmation_intents', id as string))) return []
    const change = { status, decided_at: date(now), authenticated_at: date(authenticatedAt) }
    const erased = status === 'confirmed' ? {} : { quoted_sealed: null }
    return [pick(tx.update('confirmation_intents', id as string, { ...change, ...erased }), intentColumns)]
  },
  *lock_intents(tx, [ids]) {
    const named = (row: Row) => (ids as string[]).includes(row.id as string)
    return (yield* lockWhere(tx, 'confirmation_intents', named, by('id'))).map((row) => pick(row, intentColumns))
  },
  *consume_intents(tx, values) {
    const consumed: Row[] = []
    for (const { id, operation_id } of unnest(['id', 'operation_id'], values)) {
      if (tx.get('confirmation_intents', id as string)?.status !== 'confirmed') continue
      const row = yield* tx.lock('confirmation_intents', id as string)
      if (row?.status !== 'confirmed') continue
      const change = { status: 'consumed', consumed_operation_id: operation_id, quoted_sealed: null }
      tx.update('confirmation_intents', id as string, change)
      consumed.push({ id })
    }
    return consumed
  },
  *erase_quoted(tx, [now, limit]) {
    const over = yield* takeSkippingLocked(tx, 'confirmation_intents', {
      where: (row) => row.quoted_sealed !== null && time(row.expires_at) <= time(now),
      order: by('expires_at'),
      limit: limit as number,
    })
    return over.map(({ id }) => pick(tx.update('confirmation_intents', id as string, { quoted_sealed: null }), ['id']))
  },
  prune_idempotency_keys: pruneModel('idempotency_keys', 'created_at'),
  prune_confirmation_intents: pruneModel('confirmation_intents', 'expires_at'),
}
