/** The invented offers that the provider sells, the same for all test users. */

import type { Money } from './money.ts'

export type Product = {
  readonly sku: string
  readonly price: Money
  /** The maximum quantity of one purchase. */
  readonly most: number
  /** The form of the recipient's name; null if no recipient is needed. */
  readonly recipient: RegExp | null
}

export type Offer = {
  readonly offer_ref: string
  readonly title: string
  readonly line: string
  readonly guide_url: string | null
  readonly products: readonly Product[]
}

const phone = /^\+[1-9]\d{6,14}$/
const mail = /^[^@\s]+@[^@\s]+\.[^@\s]+$/

function product(sku: string, value: string, ccy: string, most: number, recipient: RegExp | null = null): Product {
  return { sku, price: { value, ccy }, most, recipient }
}

export const offersToBuy: readonly Offer[] = [
  {
    offer_ref: 'off_topup',
    title: 'Phone credit',
    line: 'mobile_topup',
    guide_url: 'https://provider.example/guides/phone-credit',
    products: [
      product('topup-5-eur', '5.00', 'EUR', 1, phone),
      product('topup-10-eur', '10.00', 'EUR', 1, phone),
      product('topup-10-gbp', '10.00', 'GBP', 1, phone),
    ],
  },
  {
    offer_ref: 'off_esim',
    title: 'Travel data',
    line: 'esim',
    guide_url: 'https://provider.example/guides/travel-data',
    products: [product('esim-europe-5gb', '11.90', 'EUR', 5, mail), product('esim-world-3gb', '24.00', 'USD', 5, mail)],
  },
  {
    offer_ref: 'off_books',
    title: 'Book tokens',
    line: 'gift_card',
    guide_url: null,
    products: [product('books-25-gbp', '25.00', 'GBP', 20, mail), product('books-20-eur', '20.00', 'EUR', 20, mail)],
  },
  {
    offer_ref: 'off_api_credit',
    title: 'Inference credit',
    line: 'api_credit',
    guide_url: 'https://provider.example/guides/inference-credit',
    products: [product('inference-1000', '2.00', 'USD', 10_000), product('inference-bulk', '1500.00', 'USD', 10)],
  },
  {
    offer_ref: 'off_post',
    title: 'Letters by post',
    line: 'postage',
    guide_url: null,
    products: [product('letter-eu', '1.35', 'EUR', 500), product('letter-world', '2.10', 'EUR', 500)],
  },
]
