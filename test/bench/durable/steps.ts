/**
 * The steps of a durable operation as a general-purpose library runs them: record it once for its key, claim it, call
 * the provider, record the outcome. Provider, payload and PostgreSQL are the same as for the system.
 */

import { createHttpAdapter } from '@financial-agents/provider-http/adapter'
import pg from 'pg'

export type Steps = {
  pool: pg.Pool
  /** Records an id once, with its payload, which is kept until the outcome. */
  record(db: Pick<pg.Pool, 'query'>, id: string): Promise<void>
  /** Called before the provider is called. */
  claim(id: string): Promise<void>
  /** Sends the mutation; returns the provider's reference. */
  submit(id: string): Promise<string>
  settle(id: string, reference: string): Promise<void>
  close(): Promise<void>
}

const payload = {
  name: 'Load',
  country: 'PT',
  currency: 'EUR',
  payout_schema_id: 'sepa_pt_eur',
  details: { iban: 'PT50000201231234567890154' },
  is_external: true,
}

export const createTables = `
  CREATE TABLE bench_operations (
    id uuid PRIMARY KEY,
    state text NOT NULL,
    payload jsonb,
    upstream_reference text,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL
  )`

export function openSteps(options: { databaseUrl: string; providerUrl: string; credentials: string }): Steps {
  const { databaseUrl, providerUrl, credentials } = options
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 32 })
  const provider = createHttpAdapter({ baseUrl: providerUrl, connections: 64, connectTimeoutMs: 2_000 })
  const move = (name: string, set: string, values: unknown[]) =>
    pool.query({ name, text: `UPDATE bench_operations SET ${set}, updated_at = $2 WHERE id = $1`, values })
  return {
    pool,
    record: async (db, id) => {
      await db.query({
        name: 'record',
        text: `INSERT INTO bench_operations (id, state, payload, created_at, updated_at)
          VALUES ($1, 'accepted', $2, $3, $3) ON CONFLICT DO NOTHING`,
        values: [id, payload, new Date()],
      })
    },
    claim: async (id) => {
      await move('claim', "state = 'submitting'", [id, new Date()])
    },
    submit: async (reference) => {
      const outcome = await provider.submit({
        kind: 'beneficiary_create',
        reference,
        payload,
        credentials,
        timeoutMs: 10_000,
        validUntil: new Date(Date.now() + 30_000),
      })
      if (outcome.type !== 'succeeded') throw new Error(`the provider answered ${outcome.type}`)
      return outcome.upstreamReference
    },
    settle: async (id, reference) => {
      await move('settle', "state = 'succeeded', payload = NULL, upstream_reference = $3", [id, new Date(), reference])
    },
    close: async () => {
      await provider.close()
      await pool.end()
    },
  }
}
