/** Estimates of purchases, and each test user's past orders: one every four days, bound to an estimate. */

import { randomUUID } from 'node:crypto'
import { BigNumber } from 'bignumber.js'
import { convert, decimalText, type Money } from './money.ts'
import { type Offer, offersToBuy, type Product } from './offers.ts'
import { type TestUser, testUsers } from './test-users.ts'

export type Wanted = {
  readonly offer_ref: string
  readonly sku: string
  readonly quantity: number
  readonly recipient: string | null
}

export type Order = {
  readonly order_ref: string
  readonly estimate_ref: string
  readonly offer_ref: string
  readonly stage: 'released' | 'delivered' | 'money_back'
  readonly total: Money
  readonly released_at: string
  readonly changed_at: string
}

export type PurchaseEstimate = { readonly estimate_ref: string; readonly total: Money; readonly good_until: string }

const dayMs = 86_400_000
const everyDays = 4
const pastDays = 60
const deliveredAfterMs = 12 * dayMs
const goodForMs = 3_600_000

/** Estimates the cost in the test user's own currency, or returns the member that does not fit. */
export function estimatePurchase(
  { currency }: TestUser,
  { offer_ref, sku, quantity, recipient }: Wanted,
  nowMs: number,
): { estimate: PurchaseEstimate } | { not_offered: keyof Wanted } {
  const offer = offersToBuy.find((candidate) => candidate.offer_ref === offer_ref)
  if (offer === undefined) return { not_offered: 'offer_ref' }
  const product = offer.products.find((candidate) => candidate.sku === sku)
  if (product === undefined) return { not_offered: 'sku' }
  if (quantity > product.most) return { not_offered: 'quantity' }
  if (product.recipient !== null && !product.recipient.test(recipient ?? '')) return { not_offered: 'recipient' }
  return {
    estimate: {
      // A random reference, so that nobody can know it beforehand, even after a restart.
      estimate_ref: `est_${randomUUID()}`,
      total: totalOf(product, quantity, currency),
      good_until: new Date(nowMs + goodForMs).toISOString(),
    },
  }
}

/** Newest first. */
export function ordersOf(testUser: TestUser, nowMs: number): readonly Order[] {
  const today = Math.floor(nowMs / dayMs)
  const phase = testUsers.indexOf(testUser) % everyDays
  const orders: Order[] = []
  for (let day = today - 1; day >= today - pastDays; day -= 1) {
    if (day % everyDays === phase) orders.push(orderOf(testUser, day, nowMs))
  }
  return orders
}

function orderOf({ id, currency }: TestUser, day: number, nowMs: number): Order {
  const number = Math.floor(day / everyDays)
  const [offer, product] = pick(number)
  const name = `${id.slice(4)}_${number.toString(36)}`
  const releasedMs = day * dayMs + (8 + (number % 12)) * 3_600_000
  const isOver = nowMs - releasedMs >= deliveredAfterMs
  return {
    order_ref: `ord_${name}`,
    estimate_ref: `est_${name}`,
    offer_ref: offer.offer_ref,
    stage: isOver ? (number % 4 === 0 ? 'money_back' : 'delivered') : 'released',
    total: totalOf(product, 1 + (number % Math.min(3, product.most)), currency),
    released_at: new Date(releasedMs).toISOString(),
    changed_at: new Date(isOver ? releasedMs + deliveredAfterMs : releasedMs).toISOString(),
  }
}

function pick(number: number): readonly [Offer, Product] {
  const offer = offersToBuy[number % offersToBuy.length]
  const product = offer?.products[number % offer.products.length]
  if (offer === undefined || product === undefined) throw new Error('an offer has no products')
  return [offer, product]
}

function totalOf({ price }: Product, quantity: number, ccy: string): Money {
  const total = convert({ value: decimalText(new BigNumber(price.value).times(quantity)), ccy: price.ccy }, ccy)
  if (total === undefined) throw new Error('a product is priced in a currency without a rate')
  return { value: decimalText(total), ccy }
}
