import { expect, test } from 'vitest'
import { writtenAmount } from './amount.ts'
import { fakeApi, operation } from './fake-api.test-helper.ts'
import { mandateOf } from './verbs/allowance.ts'

/** As decimal.js, big.js and bignumber.js have it. */
class Decimal {
  readonly #text: string
  constructor(text: string) {
    this.#text = text
  }
  toJSON(): string {
    return this.#text
  }
}

test('the amount of a payment and the caps of an allowance may be decimals', async () => {
  const sent: Record<string, unknown>[] = []
  const answer = ({ pathname }: URL, { body }: RequestInit) => {
    sent.push(JSON.parse(body as string) as Record<string, unknown>)
    const kind = pathname.endsWith('/withdrawals') ? 'transfer' : 'mandate_transfer'
    return Response.json(operation('op-1', 'succeeded', { kind }), { status: 202 })
  }
  const agent = fakeApi(answer, answer, answer).agent()
  const amount = new Decimal('5.10')
  await agent.pay({ intent: 'a', payee: 'p-1', amount, currency: 'EUR' })
  await agent.pay({ intent: 'b', allowance: 'm-1', amount, currency: 'EUR' })
  const raw = { amount: amount as unknown as string, currency: 'EUR' }
  await agent.mandates.pay('m-1', raw, { intent: 'c' })
  expect(sent.map((body) => body['amount'])).toEqual(['5.10', '5.10', '5.10'])
  const terms = {
    payee: 'p-1',
    perPayment: amount,
    total: new Decimal('20'),
    payments: 4,
    until: '2027-01-01T00:00:00Z',
  }
  expect(mandateOf(terms)).toMatchObject({ per_payment_max: '5.10', daily_max: '20', total_cap: '20' })
})

test.each([
  ['5.1', 'EUR', '5.10'],
  ['5.100', 'EUR', '5.10'],
  ['5', 'USD', '5.00'],
  ['100.00', 'JPY', '100'],
  ['0.5', 'KWD', '0.500'],
  ['12', 'HUF', '12.00'],
  ['0.125', 'EUR', '0.125'],
  ['1e2', 'EUR', '1e2'],
])('%s %s is written %s', (amount, currency, written) => expect(writtenAmount(amount, currency)).toBe(written))
