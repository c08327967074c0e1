/**
 * The console in its environment: a schema, a bus with simulated services, the identity provider, and a clock that
 * moves.
 */

import { generateKeyPairSync, randomBytes } from 'node:crypto'
import type { ConnectionOptions } from '@financial-agents/bus/testing/nats'
import { type Database, statement } from '@financial-agents/postgres/database'
import { startTestService } from '@financial-agents/testkit/test-service'
import { migrations } from './migrations.ts'
import { consoleUrl, createOperatorClient } from './operator-client.test-helper.ts'
import { groupScopes } from './sign-in/group-scopes.ts'
import type { StartConfig } from './start.ts'
import { startConsole } from './start.ts'
import { playGateway } from './stub-gateway.test-helper.ts'
import { nothingKnown, playServices, type StubService, stubServices } from './stub-services.test-helper.ts'

type Options = {
  silent?: readonly StubService[]
  config?: Partial<StartConfig>
  /** The options of the console's own connection to the bus. */
  connection?: ConnectionOptions
}

export type Stack = Awaited<ReturnType<typeof startStack>>

export async function startStack(options: Options = {}) {
  const around = await startTestService('ops-console', { migrations, answersCredentials: false })
  const { nats, clock, log, logLines } = around
  const known = nothingKnown()
  await playServices(
    nats,
    known,
    stubServices.filter((name) => !options.silent?.includes(name)),
  )
  const gateway = await nats.connect('gateway')
  const played = await playGateway(gateway, clock)
  const config = { ...testConfig(), ...options.config, GATEWAY_URL: played.url }
  const db = around.openDatabase()
  const bus = await nats.connect('ops-console', options.connection)
  const service = await startConsole(config, { bus, db, log, clock })
  // When this is answered, the server has registered the subscriptions.
  await bus.check()
  return {
    config,
    db,
    gateway,
    played,
    known,
    clock,
    log,
    logLines,
    send: createOperatorClient(gateway),
    audit: () => auditRows(db),
    stop: async () => {
      await service.stop()
      await played.stop()
      await nats.stop()
      await service.close()
      await around.stop()
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
    CLIENT_SUSPENSION_BY_TWO: false,
    GATEWAY_TIMEOUT_MS: 60_000,
    PRUNE_PAUSE_MS: 60_000,
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

/** Makes every audit write fail until the returned function is called. */
export async function breakAudit(db: Database): Promise<() => Promise<void>> {
  await db.rows(statement('test_break_audit', 'ALTER TABLE audit RENAME TO audit_out_of_reach'))
  return async () => {
    await db.rows(statement('test_mend_audit', 'ALTER TABLE audit_out_of_reach RENAME TO audit'))
  }
}
