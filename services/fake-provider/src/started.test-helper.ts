/** A fake provider on a free port with the real adapter and the control API at hand. */

import { createSameClockAdapter } from '@financial-agents/provider-http/testing/same-clock'
import type { LookupRequest, Provider, Submission } from '@financial-agents/provider-port/port'
import type { LedgerEntry, LedgerSummary } from './ledger.ts'
import { createServer } from './server.ts'
import { testUsers } from './test-users.ts'

export type StartedProvider = {
  readonly baseUrl: string
  readonly provider: Provider
  control(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }>
  ledger(reference?: string): Promise<readonly LedgerEntry[]>
  summary(): Promise<LedgerSummary>
  close(): Promise<void>
}

export const credentials = testUsers[0]?.credentials ?? ''

export async function startProvider(latencyMs = 0): Promise<StartedProvider> {
  const server = createServer({ latencyMs, executesRepeats: true })
  const baseUrl = await server.listen({ host: '127.0.0.1', port: 0 })
  const provider = createSameClockAdapter({ baseUrl, connections: 8, connectTimeoutMs: 60_000 })

  const control: StartedProvider['control'] = async (method, path, body) => {
    const json =
      body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    const response = await fetch(`${baseUrl}${path}`, { method, ...json })
    const text = await response.text()
    return { status: response.status, body: text === '' ? null : JSON.parse(text) }
  }
  return {
    baseUrl,
    provider,
    control,
    async ledger(reference) {
      const query = reference === undefined ? '' : `?client_reference=${reference}`
      const { body } = await control('GET', `/control/ledger${query}`)
      return (body as { entries: LedgerEntry[] }).entries
    },
    summary: async () => (await control('GET', '/control/ledger/summary')).body as LedgerSummary,
    async close() {
      await server.close()
      await provider.close()
    },
  }
}

export function beneficiary(reference: string, changes: Partial<Submission> = {}): Submission {
  return {
    kind: 'beneficiary_create',
    reference,
    credentials,
    timeoutMs: 60_000,
    // The deadline is far away, because tests move the provider's clock.
    validUntil: new Date(Date.now() + 365 * 86_400_000),
    payload: {
      name: 'Marta Vieira',
      country: 'PT',
      currency: 'EUR',
      payout_schema_id: 'sepa_pt_eur',
      details: { iban: 'PT50000201231234567890154' },
    },
    ...changes,
  }
}

export function lookupOf(reference: string, upstreamReference: string | null = null): LookupRequest {
  return { kind: 'beneficiary_create', reference, upstreamReference, credentials, timeoutMs: 60_000 }
}
