/** Adds a payee and pays, once. Run it again, or kill it and run it again: the payee and the payment stay one. */

import { agent } from './agent.ts'

const payee = await agent.payee({
  intent: 'recipe-pay-payee',
  name: 'Beatriz Costa',
  country: 'PT',
  currency: 'EUR',
  details: { iban: 'PT50000201231234567890154' },
})
console.log(`payee ${payee.name}: ${payee.state}`)

const rent = await agent.pay({ intent: 'recipe-pay-rent', payee, amount: '12.50', currency: 'EUR', reference: 'Rent' })
console.log(`payment ${rent.operation.id}: ${rent.status}`)
