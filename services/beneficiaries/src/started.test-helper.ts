/** The service in the surroundings of an area, with the helper functions of the beneficiary tests. */

import { randomUUID } from 'node:crypto'
import type { OperationTransition } from '@financial-agents/bus/messages/events'
import type { Reply } from '@financial-agents/bus/rpc'
import type { Principal } from '@financial-agents/contract/principal'
import { beneficiariesRoutes } from '@financial-agents/contract/routes/beneficiaries'
import type { Beneficiary } from '@financial-agents/contract/schemas/beneficiary'
import type { Operation } from '@financial-agents/contract/schemas/operation'
import { statement } from '@financial-agents/postgres/database'
import { createHttpAdapter } from '@financial-agents/provider-http/adapter'
import { createRouteClient, dataOf, startTestService } from '@financial-agents/testkit/test-service'
import { createLostAcceptances, stubOperations } from '@financial-agents/writes/testing/stub-operations'
import { migrations } from './migrations.ts'
import { startBeneficiaries } from './start.ts'

export const iban = 'PT50000201231234567890154'

export function goodBody(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    country: 'PT',
    currency: 'EUR',
    details: { iban },
    name: 'Rui Prado',
    payout_schema_id: 'sepa_pt_eur',
    ...changes,
  }
}

export type Row = { id: string; operation_id: string; owner_id: string; state: string; idempotency_key: string | null }

export async function startStack(options: { replicas?: number; operations?: boolean } = {}) {
  const area = await startTestService('beneficiaries', { migrations })
  const config = { ...area.config, ENABLED_CAPABILITIES: ['transfers.execute' as const] }
  const adapter = createHttpAdapter({ baseUrl: area.provider.url, connections: 4, connectTimeoutMs: 10_000 })
  const lostAnswers = createLostAcceptances()
  const replicas = await Promise.all(
    Array.from({ length: options.replicas ?? 1 }, async () => {
      const db = area.openDatabase()
      const bus = lostAnswers.on(await area.nats.connect('beneficiaries'))
      return startBeneficiaries(config, { ...area, bus, db, provider: adapter })
    }),
  )
  const db = area.openDatabase()
  const connectOperations = async () => stubOperations(await area.nats.connect('operations'))
  const playsOperations = options.operations ?? true
  return {
    ...area,
    db,
    operations: playsOperations ? await connectOperations() : (undefined as never),
    lostAnswers,
    connectOperations,
    ...wordsOf(createRouteClient(await area.nats.connect('gateway'), beneficiariesRoutes)),
    publish: (transitions: Partial<OperationTransition>[]) =>
      area.publish(
        'beneficiary_create',
        transitions.map((transition) => ({ kind: 'beneficiary_create', ...transition })),
      ),
    rows: () =>
      db.rows<Row>(
        statement(
          'test_rows',
          `SELECT b.id, b.operation_id, b.owner_id, b.state, w.idempotency_key FROM beneficiaries b JOIN writes w USING (operation_id)
       ORDER BY b.created_at, b.id`,
        ),
      ),
    stop: async () => {
      await Promise.all(replicas.map((replica) => replica.stop()))
      await area.nats.stop()
      await adapter.close()
      await area.stop()
    },
  }
}

function wordsOf(send: ReturnType<typeof createRouteClient<typeof beneficiariesRoutes>>) {
  return {
    send,
    create: (principal: Principal, body: unknown, key: string = randomUUID()) =>
      send('createBeneficiary', principal, { body, key }) as Promise<Reply<Operation>>,
    list: async (principal: Principal, query: Record<string, string> = {}) =>
      dataOf(await send('listBeneficiaries', principal, { query })) as {
        items: Beneficiary[]
        next_cursor: string | null
      },
    get: (principal: Principal, beneficiary_id: string) =>
      send('getBeneficiary', principal, { params: { beneficiary_id } }) as Promise<Reply<Beneficiary>>,
  }
}
