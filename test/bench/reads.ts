/** A DPoP-protected read by key, beside one ES256 verification. */

import { createServiceClient } from '@financial-agents/testkit/client'
import type { Stack } from '@financial-agents/testkit/stack'
import type { LoadTask } from './load-client.ts'
import { client, load, perItemUs, report, say, scope, snapshot } from './measure.ts'

export async function benchRead(running: Stack, verificationUs: number): Promise<void> {
  const seeded = client(running)
  const api = await createServiceClient(seeded)
  await api.authorize(scope)
  const created = await api.request('POST', '/v1/beneficiaries', {
    key: crypto.randomUUID(),
    body: {
      name: 'Bench',
      country: 'PT',
      currency: 'EUR',
      payout_schema_id: 'sepa_pt_eur',
      details: { iban: 'PT50000201231234567890154' },
    },
  })
  const task: LoadTask = {
    ...seeded,
    kind: 'read',
    path: `/v1/operations/${created.body.id}`,
    concurrency: 32,
    requests: 4_000,
    warmUp: 0,
  }
  await load(task)
  const before = snapshot(running)
  const result = await load({ ...task, requests: 30_000 })
  const cost = perItemUs(before, snapshot(running), result.counted)
  say(`DPoP-protected read by key, 32 at once: ${((result.counted * 1_000) / result.elapsedMs).toFixed(0)}/s`)
  report(cost, result)
  say(`  ${(cost.sum / verificationUs).toFixed(1)} × one ES256 verification in all processes together\n`)
}
