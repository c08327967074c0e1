/**
 * The service in the surroundings of an area, with simulated operations and authz, and the helper functions of its
 * tests.
 */

import { randomBytes, randomUUID } from 'node:crypto'
import type { GrantView } from '@financial-agents/bus/messages/authority'
import type { OperationStateView } from '@financial-agents/bus/messages/operation-states'
import { type Reply, serveCall } from '@financial-agents/bus/rpc'
import type { OperationState } from '@financial-agents/contract/machine'
import type { Principal } from '@financial-agents/contract/principal'
import { webhooksRoutes } from '@financial-agents/contract/routes/webhooks'
import type { WebhookDelivery, WebhookSubscription } from '@financial-agents/contract/schemas/webhook'
import { statement } from '@financial-agents/postgres/database'
import type { MovableClock } from '@financial-agents/runtime/clock'
import {
  createRouteClient,
  dataOf,
  newPrincipal,
  startTestService,
  transition,
} from '@financial-agents/testkit/test-service'
import { migrations } from './migrations.ts'
import { startNotifier } from './start.ts'

export const eventually = { timeout: 120_000, interval: 25 }

export type Created = WebhookSubscription & { secret: string }
export type Stack = Awaited<ReturnType<typeof startStack>>

type Options = {
  replicas?: number
  signing?: boolean
  loopback?: 'allowed' | 'refused'
  resolve?: (host: string) => Promise<string[]>
  slots?: { total: number; perHost: number }
  clock?: MovableClock
  /** The longest exchange with a receiver; as long as in production if absent. */
  timeoutMs?: number
  /** The endpoint of the operator's platform; absent if there is none. */
  platform?: { url: string; secret: Buffer<ArrayBuffer> }
}

type Move = { operation_id?: string; sequence?: number; at?: string }

export async function startStack(options: Options = {}) {
  const started = await startTestService('notifier', { migrations })
  const area = { ...started, clock: options.clock ?? started.clock }
  const config = {
    SEALING_KEYS: [{ id: 's', key: randomBytes(32) }],
    CURSOR_KEY: area.config.CURSOR_KEY,
    WEBHOOK_SIGNING_KEYS: options.signing === false ? undefined : [{ id: 'k', key: randomBytes(32) }],
    WEBHOOK_LOOPBACK: options.loopback ?? ('allowed' as const),
    WEBHOOK_TIMEOUT_MS: options.timeoutMs ?? 10_000,
    WEBHOOK_CONCURRENCY: options.slots?.total ?? 32,
    WEBHOOK_HOST_CONCURRENCY: options.slots?.perHost ?? 4,
    OWNER_EVENTS_URL: options.platform?.url,
    OWNER_EVENTS_SECRET: options.platform?.secret,
    OWNER_EVENTS_CAP_PERCENT: 80,
    OWNER_EVENTS_PAUSE_MS: 40,
    DELIVER_PAUSE_MS: 40,
    CATCH_UP_PAUSE_MS: 40,
    PRUNE_PAUSE_MS: 40,
  }
  const resolve = options.resolve ?? (async () => [])
  const startReplica = async () => {
    const bus = await area.nats.connect('notifier')
    return startNotifier(config, { ...area, bus, db: area.openDatabase(), resolve })
  }
  const operations = await stubOperations(area)
  const authz = await playAuthz(area)
  const replicas = await Promise.all(Array.from({ length: options.replicas ?? 1 }, startReplica))
  const db = area.openDatabase()
  const send = createRouteClient(await area.nats.connect('gateway'), webhooksRoutes)
  return {
    ...area,
    db,
    operations,
    authz,
    gateway: await area.nats.connect('gateway'),
    startReplica,
    ...wordsOf(send),
    /** Moves the operation: its client can read the new state, and the event is published. */
    move: (principal: Principal, to: OperationState, changes: Move = {}) => {
      const { owner_id, client_id } = principal
      const moved = transition({ owner_id, client_id, kind: 'card_create', to, ...changes })
      operations.show(principal, moved.operation_id as string, to, moved.sequence as number)
      area.publish('card_create', [moved])
      return moved.operation_id as string
    },
    stop: async () => {
      await Promise.all(replicas.map((replica) => replica.stop()))
      await area.nats.stop()
      await area.stop()
    },
  }
}

type Area = Awaited<ReturnType<typeof startTestService>>

/** Simulates the reads of operations. A test can silence it. */
async function stubOperations({ nats, log }: Area) {
  const views = new Map<string, OperationStateView>()
  const asked: string[][] = []
  const caughtUp: string[] = []
  const bus = await nats.connect('operations')
  serveCall(
    bus,
    'int.operations.states',
    async ({ operation_ids }) => {
      asked.push(operation_ids)
      return operation_ids.flatMap((id) => views.get(id) ?? [])
    },
    { log },
  )
  serveCall(
    bus,
    'int.operations.changed',
    async ({ since, after, limit }) => {
      caughtUp.push(since)
      const from = after ?? { updated_at: since, operation_id: '' }
      const key = (view: { updated_at: string; operation_id: string }) => `${view.updated_at} ${view.operation_id}`
      const later = [...views.values()].filter((view) => key(view) > key(from))
      return later.toSorted((a, b) => (key(a) < key(b) ? -1 : 1)).slice(0, limit)
    },
    { log },
  )
  await bus.check()
  return {
    asked,
    caughtUp,
    show: (
      { owner_id, client_id }: Principal,
      operation_id: string,
      state: OperationState,
      sequence: number,
      updated_at = new Date().toISOString(),
    ) => {
      const view = { operation_id, owner_id, client_id, kind: 'card_create', state, sequence, updated_at } as const
      views.set(operation_id, { ...view, submission_uncertain: state === 'indeterminate' })
    },
  }
}

/** Simulates authz. Every client has its grant unless a test changes that. */
async function playAuthz({ nats, log }: Area) {
  const changed = new Map<string, Partial<GrantView> | null>()
  const state = { failing: false }
  const bus = await nats.connect('authz')
  serveCall(
    bus,
    'int.authz.active-grants',
    async ({ clients }) => {
      if (state.failing) throw new Error('authz is asked in vain')
      return clients.flatMap((client) => {
        const change = changed.get(client.owner_id)
        return change === null ? [] : [{ ...grantOf(client), ...change }]
      })
    },
    { log },
  )
  await bus.check()
  return { changed, state }
}

function grantOf(client: { owner_id: string; client_id: string }): GrantView {
  return {
    ...client,
    grant_id: randomUUID(),
    subject: 's',
    is_service: false,
    status: 'active',
    expires_at: null,
    scopes: ['operations:read'],
    policy: { ceilings: { per_payment: null, per_day: null }, confirmation: [] },
    binding_id: randomUUID(),
  }
}

function wordsOf(send: ReturnType<typeof createRouteClient<typeof webhooksRoutes>>) {
  const create = (principal: Principal, body: unknown) =>
    send('createWebhookSubscription', principal, { body }) as Promise<Reply<Created>>
  const deliveries = async (principal: Principal, id: string, query: Record<string, string> = {}) =>
    dataOf(await send('listWebhookDeliveries', principal, { params: { id }, query })) as {
      items: WebhookDelivery[]
      next_cursor: string | null
    }
  return {
    send,
    create,
    deliveries,
    subscribed: async (url: string, more: Record<string, unknown> = {}, principal = newPrincipal()) => {
      const subscription = dataOf(await create(principal, { url, ...more }))
      return { principal, subscription, id: subscription.id }
    },
    get: (principal: Principal, id: string) =>
      send('getWebhookSubscription', principal, { params: { id } }) as Promise<Reply<WebhookSubscription>>,
    rotate: (principal: Principal, id: string) =>
      send('rotateWebhookSecret', principal, { params: { id } }) as Promise<
        Reply<Created & { previous_secret_until: string }>
      >,
    resend: async (principal: Principal, id: string, delivery_id: string) =>
      send('resendWebhookDelivery', principal, { params: { id, delivery_id } }) as Promise<Reply<WebhookDelivery>>,
    remove: (principal: Principal, id: string) => send('deleteWebhookSubscription', principal, { params: { id } }),
    list: async (principal: Principal, query: Record<string, string> = {}) =>
      dataOf(await send('listWebhookSubscriptions', principal, { query })) as {
        items: WebhookSubscription[]
        next_cursor: string | null
      },
  }
}

/** Makes pending deliveries due now, also by a clock that stands still. */
export async function makeDue({ db }: Pick<Stack, 'db'>, subscriptionId: string): Promise<void> {
  await db.rows(
    statement(
      'test_due',
      `UPDATE deliveries SET next_attempt_at = now() - interval '1 day'
       WHERE subscription_id = $1 AND status = 'pending' AND lease_id IS NULL`,
    ),
    [subscriptionId],
  )
}
