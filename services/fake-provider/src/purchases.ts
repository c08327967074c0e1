/** Quotes of purchases, and each test user's past purchases: one every four days, bound to a quote. */

import { randomUUID } from 'node:crypto'
import type { ProviderPurchase } from '@financial-agents/provider-port/quotes'
import type { ReadAsks, ReadData } from '@financial-agents/provider-port/reads'
import { BigNumber } from 'bignumber.js'
import { convert, decimalText, type Money } from './money.ts'
import { type Product, type Service, services } from './purchasable-services.ts'
import { type TestUser, testUsers } from './test-users.ts'

const dayMs = 86_400_000
const everyDays = 4
const pastDays = 60
const fulfilledAfterMs = 12 * dayMs
const goodForMs = 3_600_000

/** Quotes the cost in the test user's own currency, or returns the member that does not fit. */
export function quotePurchase(
  { currency }: TestUser,
  { service_reference, product_id, quantity, recipient }: ReadAsks<'purchaseQuote'>,
  nowMs: number,
): ReadData<'purchaseQuote'> {
  const service = services.find(({ reference }) => reference === service_reference)
  if (service === undefined) return { type: 'refused', member: 'service_reference' }
  const product = service.products.find(({ id }) => id === product_id)
  if (product === undefined) return { type: 'refused', member: 'product_id' }
  if (quantity > product.most) return { type: 'refused', member: 'quantity' }
  if (product.recipient !== null && !product.recipient.test(recipient ?? ''))
    return { type: 'refused', member: 'recipient' }
  return {
    type: 'quoted',
    quote: {
      // A random reference, so that nobody can know it beforehand, even after a restart.
      reference: `quo_${randomUUID()}`,
      total: totalOf(product, quantity, currency),
      expires_at: new Date(nowMs + goodForMs).toISOString(),
    },
  }
}

/** Newest first. */
export function purchasesOf(testUser: TestUser, nowMs: number): readonly ProviderPurchase[] {
  const today = Math.floor(nowMs / dayMs)
  const phase = testUsers.indexOf(testUser) % everyDays
  const purchases: ProviderPurchase[] = []
  for (let day = today - 1; day >= today - pastDays; day -= 1) {
    if (day % everyDays === phase) purchases.push(purchaseOf(testUser, day, nowMs))
  }
  return purchases
}

function purchaseOf({ id, currency }: TestUser, day: number, nowMs: number): ProviderPurchase {
  const number = Math.floor(day / everyDays)
  const [service, product] = pick(number)
  const name = `${id.slice(4)}_${number.toString(36)}`
  const releasedMs = day * dayMs + (8 + (number % 12)) * 3_600_000
  const isOver = nowMs - releasedMs >= fulfilledAfterMs
  return {
    reference: `pur_${name}`,
    quote_reference: `quo_${name}`,
    service_reference: service.reference,
    state: isOver ? (number % 4 === 0 ? 'refunded' : 'fulfilled') : 'released',
    total: totalOf(product, 1 + (number % Math.min(3, product.most)), currency),
    released_at: new Date(releasedMs).toISOString(),
    updated_at: new Date(isOver ? releasedMs + fulfilledAfterMs : releasedMs).toISOString(),
  }
}

function pick(number: number): readonly [Service, Product] {
  const service = services[number % services.length]
  const product = service?.products[number % service.products.length]
  if (service === undefined || product === undefined) throw new Error('a service has no products')
  return [service, product]
}

function totalOf({ price }: Product, quantity: number, currency: string): Money {
  const total = convert({ ...price, amount: decimalText(new BigNumber(price.amount).times(quantity)) }, currency)
  if (total === undefined) throw new Error('a product is priced in a currency without a rate')
  return { amount: decimalText(total), currency }
}
