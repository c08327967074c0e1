/** Metrics of the authorization server: grants, unconfirmed fences, and the events and tokens that it counts. */

import { type Database, statement } from '@financial-agents/postgres/database'
import { observeUnconfirmed } from '@financial-agents/postgres/outbox-figures'
import { counter, observeReading } from '@financial-agents/runtime/metrics/metrics'
import type { AuditEvent } from './store/audit-event.ts'

const events = counter('financial_agents.authz.events')
const tokens = counter('financial_agents.authz.tokens_issued')

const maxGrants = 50_000
const grantsKeptMs = 60_000
const maxFences = 1_000

/** Counts each status within its part of the index, and only up to the bound. */
export const grantFigures = statement(
  'grant_figures',
  `SELECT status.name, one.grants FROM unnest('{active,suspended}'::text[]) AS status (name)
   CROSS JOIN LATERAL (SELECT count(*) AS grants FROM (
     SELECT 1 FROM grants WHERE listed_as <> '' AND listed_as = status.name LIMIT ${maxGrants}) counted) one`,
)

export const unconfirmedFences = statement(
  'unconfirmed_fences',
  `SELECT target || ':' || target_id || ':' || version AS key FROM fences
   WHERE confirmed_version < version ORDER BY target, target_id LIMIT ${maxFences}`,
)

/** Called after the entries are written. A later rollback of the transaction is rare enough to ignore. */
export function noteEvents(entries: readonly { event: AuditEvent }[]): void {
  for (const { event } of entries) events.add({ event })
}

const grantTypes: Readonly<Record<string, string>> = {
  authorization_code: 'authorization_code',
  client_credentials: 'client_credentials',
  refresh_token: 'refresh_token',
  'urn:ietf:params:oauth:grant-type:device_code': 'device_code',
}

export function noteToken(grantType: unknown): void {
  tokens.add({ grant_type: grantTypes[String(grantType)] ?? 'other' })
}

export function observeAuthority(db: Database): void {
  observeReading({
    name: 'grants',
    keepMs: grantsKeptMs,
    read: async () => {
      const rows = await db.rows<{ name: string; grants: number }>(grantFigures)
      return rows.map(({ name, grants }) => ['financial_agents.authz.grants', grants, { status: name }])
    },
  })
  observeUnconfirmed('grant fences', async () => {
    const rows = await db.rows<{ key: string }>(unconfirmedFences)
    return rows.map((row) => row.key)
  })
}
