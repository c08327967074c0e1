/** Asks the owner once for an allowance, and then pays within it without asking again. */

import { ApiProblem } from '@financial-agents/client'
import { agent } from './agent.ts'

const payee = await agent.payee({
  intent: 'recipe-allowance-payee',
  name: 'Padaria Ribeiro',
  country: 'PT',
  currency: 'EUR',
  details: { iban: 'PT50000201231234567890154' },
})

// The intent stands for one request, which must stay the same. The allowance therefore ends with the month, and not "in
// 30 days".
const until = new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() + 1, 1))
const allowance = await agent.allowance({
  intent: `recipe-allowance-until-${until.toISOString().slice(0, 10)}`,
  payee,
  perPayment: '5.00',
  total: '20.00',
  payments: 31,
  until,
})
console.log(`allowance ${allowance.id}: ${allowance.state}`)

const bread = await agent.pay({
  intent: 'recipe-allowance-bread',
  allowance,
  amount: '3.20',
  currency: 'EUR',
  reference: 'Bread',
})
console.log(`payment ${bread.operation.id}: ${bread.status}`)

try {
  await agent.pay({ intent: 'recipe-allowance-too-much', allowance, amount: '5.01', currency: 'EUR' })
} catch (error) {
  if (!(error instanceof ApiProblem)) throw error
  console.log(`refused: ${error.code}`)
}
