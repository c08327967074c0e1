/** Simulated services that the console calls, each as its own bus user, with their data in plain lists. */

import { randomUUIDv7 } from 'node:crypto'
import type { Bus } from '@financial-agents/bus/connect'
import type {
  GrantActivity,
  OperationsOverview,
  OperatorGrantRow,
  OperatorMove,
  OperatorOperationRow,
  OperatorReads,
  Review,
  SubmissionHealth,
  SuspendGrantAnswer,
  SuspendGrantRequest,
} from '@financial-agents/bus/messages/operator'
import type { LostOperations, WitnessReport } from '@financial-agents/bus/messages/witness'
import { serveCall } from '@financial-agents/bus/rpc'
import type { TestNats } from '@financial-agents/bus/testing/nats'
import type { WebhookDelivery } from '@financial-agents/contract/schemas/webhook'
import { createLog } from '@financial-agents/runtime/log'

export type StubData = {
  operations: OperatorOperationRow[]
  histories: Map<string, OperatorMove[]>
  reviews: Review[]
  reads: OperatorReads
  health: SubmissionHealth[]
  deliveries: WebhookDelivery[]
  clientNames: Map<string, string>
  /** Owners by the provider's reference, with their grants. */
  owners: Map<string, { owner_id: string; grant_ids: string[] }>
  /** The other filters of the last search for operations. */
  filters: Record<string, unknown>
  grants: OperatorGrantRow[]
  activity: GrantActivity[]
  overview: OperationsOverview
  /** Why operations and the submitter write nothing. */
  closed: { operations: WitnessReport; submitter: WitnessReport }
  lost: LostOperations | null
  suspend: (request: SuspendGrantRequest) => Promise<SuspendGrantAnswer>
  /** Every subject that was called, in order. */
  asked: string[]
}

export const stubServices = ['operations', 'submitter', 'reconciler', 'notifier', 'authz', 'onboarding'] as const
export type StubService = (typeof stubServices)[number]

const options = { log: createLog({ service: 'played', level: 'silent' }) }

type Place = { created_at: string; id: string } | null
type Placed = { created_at: string; operation_id?: string; grant_id?: string }

const idOf = (row: Placed) => row.operation_id ?? row.grant_id ?? ''
const keyOf = (row: Placed) => `${row.created_at} ${idOf(row)}`

function newestFirst<Row extends Placed>(rows: readonly Row[], after: Place, limit: number): Row[] {
  return rows
    .filter((row) => after === null || keyOf(row) < `${after.created_at} ${after.id}`)
    .toSorted((a, b) => (keyOf(a) < keyOf(b) ? 1 : -1))
    .slice(0, limit)
}

export function nothingKnown(): StubData {
  return {
    operations: [],
    histories: new Map(),
    reviews: [],
    reads: { count: 0, not_found: 0, reads: [], late_answer: null },
    health: [],
    deliveries: [],
    clientNames: new Map(),
    owners: new Map(),
    filters: {},
    grants: [],
    activity: [],
    overview: { counts: {}, ages: [], oldest: [], hours: [], failures: [] },
    closed: { operations: null, submitter: null },
    lost: null,
    suspend: async () => ({ outcome: 'not_found' }),
    asked: [],
  }
}

export async function playServices(nats: TestNats, known: StubData, names: readonly StubService[]): Promise<void> {
  for (const name of names) {
    const bus = await nats.connect(name)
    players[name](bus, known)
    await bus.check()
  }
}

const players: Record<StubService, (bus: Bus, known: StubData) => void> = {
  operations: stubOperations,
  submitter: playSubmitter,
  reconciler: playReconciler,
  notifier: playNotifier,
  authz: playAuthz,
  onboarding: playOnboarding,
}

function stubOperations(bus: Bus, known: StubData): void {
  serveCall(
    bus,
    'int.operations.find-operations',
    async ({ after, limit, operation_ids, of_owner_of, created_from, created_until, ...filters }) => {
      known.asked.push('find-operations')
      known.filters = { ...filters }
      const matching = known.operations.filter(
        (row) =>
          (operation_ids === undefined || operation_ids.includes(row.operation_id)) &&
          (of_owner_of === undefined || of_owner_of.includes(row.grant_id)) &&
          (created_from === undefined || row.created_at >= created_from) &&
          (created_until === undefined || row.created_at <= created_until) &&
          Object.entries(filters).every(([name, value]) => row[name as 'state'] === value),
      )
      const operations = newestFirst(matching, after, limit)
      const last = operations.length < limit ? undefined : operations.at(-1)
      return { operations, next: last ? { created_at: last.created_at, id: last.operation_id } : null }
    },
    options,
  )
  serveCall(
    bus,
    'int.operations.operation-history',
    async ({ operation_id }) => {
      known.asked.push('operation-history')
      const operation = known.operations.find((row) => row.operation_id === operation_id)
      return operation ? { operation, history: known.histories.get(operation_id) ?? [] } : null
    },
    options,
  )
  serveCall(
    bus,
    'int.operations.overview',
    async () => {
      known.asked.push('overview')
      return known.overview
    },
    options,
  )
  serveCall(
    bus,
    'int.operations.witness',
    async () => {
      known.asked.push('witness')
      return known.closed.operations
    },
    options,
  )
  serveCall(bus, 'int.operations.lost', async () => known.lost, options)
  serveCall(
    bus,
    'int.operations.submission-health',
    async ({ since }) => {
      known.asked.push(`submission-health ${since}`)
      return known.health
    },
    options,
  )
  serveCall(
    bus,
    'int.operations.grant-activity',
    async ({ grant_ids }) => known.activity.filter((one) => grant_ids.includes(one.grant_id)),
    options,
  )
}

function playSubmitter(bus: Bus, known: StubData): void {
  serveCall(bus, 'int.submitter.witness', async () => known.closed.submitter, options)
}

function playReconciler(bus: Bus, known: StubData): void {
  serveCall(
    bus,
    'int.reconciler.reviews',
    async ({ operation_ids, after, limit }) => {
      known.asked.push('reviews')
      const wanted = known.reviews.filter(
        (one) => operation_ids === undefined || operation_ids.includes(one.operation_id),
      )
      return newestFirst(wanted, after, limit)
    },
    options,
  )
  serveCall(bus, 'int.reconciler.reads', async () => known.reads, options)
}

function playOnboarding(bus: Bus, known: StubData): void {
  serveCall(
    bus,
    'int.onboarding.find-owner',
    async ({ reference }) => known.owners.get(reference)?.owner_id ?? null,
    options,
  )
}

function playNotifier(bus: Bus, known: StubData): void {
  serveCall(
    bus,
    'int.notifier.operation-deliveries',
    async ({ operation_id }) => known.deliveries.filter((one) => one.operation_id === operation_id),
    options,
  )
}

function playAuthz(bus: Bus, known: StubData): void {
  serveCall(
    bus,
    'int.authz.client-names',
    async ({ client_ids }) => {
      known.asked.push(`client-names ${client_ids.join(' ')}`)
      return client_ids.flatMap((client_id) => {
        const name = known.clientNames.get(client_id)
        return name === undefined ? [] : [{ client_id, name }]
      })
    },
    options,
  )
  serveCall(
    bus,
    'int.authz.find-grants',
    async ({ after, limit, grant_id, client_id, status, subject, same_owner_as, owner_id }) => {
      const owners = [...known.owners.values()]
      const ofOwner = owners.find((one) => one.owner_id === owner_id)?.grant_ids
      const ofSame = owners.find((one) => one.grant_ids.includes(same_owner_as ?? ''))?.grant_ids
      const matching = known.grants.filter(
        (row) =>
          (owner_id === undefined || ofOwner?.includes(row.grant_id)) &&
          (same_owner_as === undefined || ofSame?.includes(row.grant_id)) &&
          (grant_id === undefined || row.grant_id === grant_id) &&
          (client_id === undefined || row.client.id === client_id) &&
          (status === undefined || row.status === status) &&
          (subject === undefined || row.subject === subject),
      )
      return newestFirst(matching, after, limit)
    },
    options,
  )
  serveCall(
    bus,
    'int.authz.suspend-grant',
    async (request) => {
      known.asked.push('suspend-grant')
      return known.suspend(request)
    },
    options,
  )
}

const start = Date.parse('2026-03-01T10:00:00.000Z')

/** An operation, created `n` minutes after the first. */
export function operationRow(n: number, changes: Partial<OperatorOperationRow> = {}): OperatorOperationRow {
  const at = new Date(start + n * 60_000).toISOString()
  return {
    operation_id: randomUUIDv7(),
    kind: 'card_create',
    state: 'succeeded',
    subject: `subject-${n}`,
    client_id: 'client-one',
    grant_id: randomUUIDv7(),
    mandate_id: null,
    trace_id: null,
    payment: null,
    failure_code: null,
    failure_detail: null,
    resource_id: randomUUIDv7(),
    resource_type: 'card',
    upstream_reference: null,
    next_reconcile_at: null,
    created_at: at,
    updated_at: at,
    ...changes,
  }
}

/** A grant, created `n` minutes after the first. */
export function grantRow(n: number, changes: Partial<OperatorGrantRow> = {}): OperatorGrantRow {
  return {
    grant_id: randomUUIDv7(),
    subject: `subject-${n}`,
    client: { id: 'client-one', name: 'Client One', profile: 'web' },
    status: 'active',
    scopes: ['accounts:read'],
    created_at: new Date(start + n * 60_000).toISOString(),
    last_used_at: null,
    suspended: null,
    ...changes,
  }
}

export function reviewOf({ operation_id, created_at }: OperatorOperationRow): Review {
  return { operation_id, created_at, reason: 'Ten reads did not find it.' }
}
