/** The service in the surroundings of an area, with the helper functions of its tests. */

import { randomBytes, randomUUID } from 'node:crypto'
import type { OperationTransition } from '@financial-agents/bus/messages/events'
import type { Reply } from '@financial-agents/bus/rpc'
import type { Principal } from '@financial-agents/contract/principal'
import type { Capability } from '@financial-agents/contract/route'
import { cardsRoutes } from '@financial-agents/contract/routes/cards'
import type { Card } from '@financial-agents/contract/schemas/card'
import type { Operation } from '@financial-agents/contract/schemas/operation'
import { statement } from '@financial-agents/postgres/database'
import { createHttpAdapter } from '@financial-agents/provider-http/adapter'
import type { Provider } from '@financial-agents/provider-port/port'
import {
  createRouteClient,
  dataOf,
  newPrincipal,
  startTestService,
  transition,
} from '@financial-agents/testkit/test-service'
import { createLostAcceptances, stubOperations } from '@financial-agents/writes/testing/stub-operations'
import { vi } from 'vitest'
import type { CardChange, Change } from './card-machine.ts'
import { migrations } from './migrations.ts'
import { startCards } from './start.ts'

export const eventually = { timeout: 120_000, interval: 25 }

export type Outcome = 'succeeded' | 'failed' | 'cancelled'
export type Stack = Awaited<ReturnType<typeof startStack>>

type Options = {
  replicas?: number
  capabilities?: Capability[]
  /** Answers of the provider that differ from the fake provider's. */
  answers?: (adapter: Provider) => Partial<Provider>
}

export async function startStack(options: Options = {}) {
  const area = await startTestService('cards', { migrations })
  const config = {
    ...area.config,
    ENABLED_CAPABILITIES: options.capabilities ?? ['cards.reveal' as const],
    PRUNE_PAUSE_MS: 40,
    ACTIVITY_KEY: randomBytes(32),
  }
  const adapter = createHttpAdapter({ baseUrl: area.provider.url, connections: 4, connectTimeoutMs: 10_000 })
  const provider = { ...adapter, ...options.answers?.(adapter) }
  const lostAnswers = createLostAcceptances()
  const replicas = await Promise.all(
    Array.from({ length: options.replicas ?? 1 }, async () => {
      const db = area.openDatabase()
      const bus = lostAnswers.on(await area.nats.connect('cards'))
      return startCards(config, { ...area, bus, db, provider })
    }),
  )
  const db = area.openDatabase()
  const operations = stubOperations(await area.nats.connect('operations'))
  return {
    ...area,
    db,
    operations,
    lostAnswers,
    adapter,
    ...wordsOf(createRouteClient(await area.nats.connect('gateway'), cardsRoutes), (kind, transitions) =>
      area.publish(kind, transitions),
    ),
    stop: async () => {
      await Promise.all(replicas.map((replica) => replica.stop()))
      await area.nats.stop()
      await adapter.close()
      await area.stop()
    },
  }
}

type Send = ReturnType<typeof createRouteClient<typeof cardsRoutes>>
type Publish = Awaited<ReturnType<typeof startTestService>>['publish']

function wordsOf(send: Send, publish: Publish) {
  const get = (principal: Principal, card_id: string) =>
    send('getCard', principal, { params: { card_id } }) as Promise<Reply<Card>>
  const cardOf = async (principal: Principal, id: string) => dataOf(await get(principal, id))
  const create = (principal: Principal, body: unknown = goodBody(), key: string = randomUUID()) =>
    send('createCard', principal, { body, key }) as Promise<Reply<Operation>>
  const change = (what: CardChange, principal: Principal, card_id: string, key: string = randomUUID()) =>
    send(`${what}Card`, principal, { params: { card_id }, key }) as Promise<Reply<Operation>>
  /** Publishes the outcome of an operation, and waits until the card has moved. */
  const settle = async (
    principal: Principal,
    { id, kind, resource_id }: Operation,
    to: Outcome,
    changes: Partial<OperationTransition> = {},
  ) => {
    publish(kind, [transition({ operation_id: id, kind, sequence: 3, to, ...changes })])
    await vi.waitFor(async () => {
      const { pending_operation_id, state } = await cardOf(principal, resource_id)
      if (pending_operation_id !== null || state === 'pending') throw new Error('the card has not followed')
    }, eventually)
    return cardOf(principal, resource_id)
  }
  /** A card that the provider has made, known there as `reference`. */
  const activeCard = async (reference: string = randomUUID(), principal = newPrincipal()) => {
    const operation = dataOf(await create(principal))
    const resource = { brand: 'visa', last_four: '4021' }
    await settle(principal, operation, 'succeeded', { upstream_reference: reference, resource })
    return { principal, id: operation.resource_id, reference }
  }
  const changeTo = async (what: CardChange, principal: Principal, id: string, to: Outcome = 'succeeded') =>
    settle(principal, dataOf(await change(what, principal, id)), to)
  return {
    send,
    get,
    cardOf,
    create,
    change,
    settle,
    activeCard,
    changeTo,
    list: async (principal: Principal, query: Record<string, string> = {}) =>
      dataOf(await send('listCards', principal, { query })) as { items: Card[]; next_cursor: string | null },
    reveal: (principal: Principal, card_id: string, timeoutMs = 60_000) =>
      send('createCardReveal', principal, { params: { card_id }, timeoutMs }),
  }
}

export function goodBody(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return { label: 'Travel', type: 'virtual', currency: 'EUR', ...changes }
}

/** The stored row, drafts included. */
export async function rowOf(stack: Pick<Stack, 'db'>, id: string) {
  const rows = await stack.db.rows<{
    state: string
    prior_state: string | null
    changes: Change[]
    upstream_reference: string | null
  }>(statement('test_row', 'SELECT state, prior_state, changes, upstream_reference FROM cards WHERE id = $1'), [id])
  return rows[0]
}
