/** The console in its surroundings: a schema, a bus with played services, the identity provider, a clock that moves. */

import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import type { Bus } from '@financial-agents/bus/connect'
import { callRoute, type Operator, type Reply, routeSubject } from '@financial-agents/bus/rpc'
import { operatorRoutes } from '@financial-agents/contract/routes/operator'
import { type Database, statement } from '@financial-agents/postgres/database'
import { createClock } from '@financial-agents/runtime/clock'
import { createLog } from '@financial-agents/runtime/log'
import { createTestDatabase } from '@financial-agents/testkit/database'
import { startTestNats } from '@financial-agents/testkit/nats'
import { migrations } from './migrations.ts'
import { nothingKnown, type PlayedService, playedServices, playServices } from './played-services.test-helper.ts'
import { groupScopes } from './sign-in/group-scopes.ts'
import type { StartConfig } from './start.ts'
import { startConsole } from './start.ts'

export const consoleUrl = 'http://console.test'
export const marta: Operator = { id: 'marta.vidal', name: 'Marta Vidal' }

type Options = { silent?: readonly PlayedService[]; config?: Partial<StartConfig> }

export type Stack = Awaited<ReturnType<typeof startStack>>

export async function startStack(options: Options = {}) {
  const [database, nats] = await Promise.all([
    createTestDatabase({ service: 'ops-console', migrations }),
    startTestNats(),
  ])
  const logLines: string[] = []
  const log = createLog({
    service: 'ops-console',
    level: 'debug',
    destination: { write: (line) => logLines.push(line) },
  })
  const clock = createClock()
  const known = nothingKnown()
  await playServices(
    nats,
    known,
    playedServices.filter((name) => !options.silent?.includes(name)),
  )
  const config = { ...testConfig(), ...options.config }
  const db = database.open(6)
  const bus = await nats.connect('ops-console')
  const service = await startConsole(config, { bus, db, log, clock })
  const gateway = await nats.connect('gateway')
  return {
    config,
    db,
    gateway,
    known,
    clock,
    log,
    logLines,
    send: createOperatorClient(gateway),
    audit: () => auditRows(db),
    stop: async () => {
      await service.stop()
      await nats.stop()
      await service.close()
      await database.close()
    },
  }
}

export function testConfig(): StartConfig {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return {
    ENVIRONMENT: 'test',
    PUBLIC_BASE_URL: consoleUrl,
    CONSOLE_SIGNING_KEYS: [{ kid: 'test', privateKey }],
    SEALING_KEYS: [{ id: 's', key: randomBytes(32) }],
    CURSOR_KEY: randomBytes(32),
    OPERATOR_IDP_ISSUER: 'http://127.0.0.1:9',
    OPERATOR_IDP_CLIENT_ID: 'ops-console',
    OPERATOR_IDP_SCOPES: 'openid profile',
    OPERATOR_GROUPS_CLAIM: 'groups',
    OPERATOR_GROUPS: groupScopes.parse('viewers=ops:read;responders=ops:read ops:suspend'),
    PRUNE_PAUSE_MS: 60_000,
  }
}

type Given = { params?: Record<string, string>; query?: Record<string, string>; body?: unknown; timeoutMs?: number }
type Name = keyof typeof operatorRoutes

/** Sends requests of the operators' routes as the gateway does. */
export function createOperatorClient(gateway: Bus) {
  return (name: Name, given: Given = {}, operator: Operator = marta): Promise<Reply<unknown>> => {
    const { params = {}, query = {}, body, timeoutMs = 5_000 } = given
    const request = { params, query, operator, ...(body === undefined ? {} : { body }) }
    const context = { requestId: randomUUID(), traceparent: '', timeoutMs }
    return callRoute(gateway, routeSubject(name, operatorRoutes[name]), request, context)
  }
}

const allAudit = statement('test_audit', 'SELECT * FROM audit ORDER BY id')

export type AuditRow = {
  action: string
  operator_id: string | null
  operator_name: string | null
  detail: Record<string, unknown>
  outcome: string
  request_id: string
  remote_address: string | null
  at: Date
}

function auditRows(db: Database): Promise<AuditRow[]> {
  return db.rows<AuditRow>(allAudit)
}

/** From now on no entry can be written, until the answer is called. */
export async function breakAudit(db: Database): Promise<() => Promise<void>> {
  await db.rows(statement('test_break_audit', 'ALTER TABLE audit RENAME TO audit_out_of_reach'))
  return async () => {
    await db.rows(statement('test_mend_audit', 'ALTER TABLE audit_out_of_reach RENAME TO audit'))
  }
}
