/**
 * Plays a fault: the provider executes the write and never answers. The operation is `indeterminate` until a read at
 * the provider proves it. Nothing is sent twice, as the provider's ledger shows. Only the fake provider of a
 * development stack can be asked to make this fault.
 */

import { agent } from './agent.ts'

const provider = process.env['FAKE_PROVIDER'] ?? 'http://127.0.0.1:4010'
const name = `Lost Answer ${new Date().toISOString()}`
await fetch(`${provider}/control/faults`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ script: 'accept_drop_reply', times: 1, match: { kind: 'beneficiary_create', name } }),
})

const operation = await agent.beneficiaries.create(
  {
    name,
    country: 'PT',
    currency: 'EUR',
    payout_schema_id: 'sepa_pt_eur',
    details: { iban: 'PT50000201231234567890154' },
  },
  { intent: `recipe-lost-answer-${name}` },
)
let outcome = await operation.wait({ timeoutMs: 2_000 })
console.log(`after the lost answer: ${outcome.status}`)
while (outcome.status === 'indeterminate' || outcome.status === 'still_running') outcome = await operation.wait()
console.log(`after the proof: ${outcome.status}`)

const answer = await fetch(`${provider}/control/ledger?client_reference=${operation.id}`)
const { entries } = (await answer.json()) as { entries: unknown[] }
console.log(`submitted to the provider: ${entries.length} time`)
