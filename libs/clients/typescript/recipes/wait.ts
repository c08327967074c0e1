/** Waits for a write, and handles each of the six outcomes. The compiler asks for every one. */

import { agent } from './agent.ts'

const operation = await agent.beneficiaries.create(
  {
    name: 'Marta Lopes',
    country: 'PT',
    currency: 'EUR',
    payout_schema_id: 'sepa_pt_eur',
    details: { iban: 'PT50000201231234567890154' },
  },
  { intent: 'recipe-wait-payee' },
)
const outcome = await operation.wait({ timeoutMs: 60_000 })
switch (outcome.status) {
  case 'succeeded':
    console.log(`succeeded: the payee is ${outcome.resourceId}`)
    break
  case 'failed':
  case 'cancelled':
    console.log(`${outcome.status}: ${outcome.code}. It is final; a new attempt needs a new intent.`)
    break
  case 'needs_owner':
    console.log(`the owner has to open ${outcome.action?.url ?? 'a page that is being prepared'}`)
    break
  case 'indeterminate':
  case 'still_running':
    console.log(`${outcome.status}: run this again, and it goes on waiting for ${outcome.operation.id}`)
    break
}
