/** The invented services that the provider sells, the same for all test users. */

import type { PurchasableService } from '@financial-agents/provider-port/quotes'
import type { Money } from './money.ts'

export type Product = {
  readonly id: string
  readonly price: Money
  /** The maximum quantity of one purchase. */
  readonly most: number
  /** The form of the recipient's name; null if no recipient is needed. */
  readonly recipient: RegExp | null
}

export type Service = Omit<PurchasableService, 'product_ids'> & { readonly products: readonly Product[] }

const phone = /^\+[1-9]\d{6,14}$/
const mail = /^[^@\s]+@[^@\s]+\.[^@\s]+$/

function product(id: string, amount: string, currency: string, most: number, recipient: RegExp | null = null): Product {
  return { id, price: { amount, currency }, most, recipient }
}

export const services: readonly Service[] = [
  {
    reference: 'srv_topup',
    name: 'Phone credit',
    category: 'mobile_topup',
    documentation_url: 'https://provider.example/guides/phone-credit',
    products: [
      product('topup-5-eur', '5.00', 'EUR', 1, phone),
      product('topup-10-eur', '10.00', 'EUR', 1, phone),
      product('topup-10-gbp', '10.00', 'GBP', 1, phone),
    ],
  },
  {
    reference: 'srv_esim',
    name: 'Travel data',
    category: 'esim',
    documentation_url: 'https://provider.example/guides/travel-data',
    products: [product('esim-europe-5gb', '11.90', 'EUR', 5, mail), product('esim-world-3gb', '24.00', 'USD', 5, mail)],
  },
  {
    reference: 'srv_books',
    name: 'Book tokens',
    category: 'gift_card',
    documentation_url: null,
    products: [product('books-25-gbp', '25.00', 'GBP', 20, mail), product('books-20-eur', '20.00', 'EUR', 20, mail)],
  },
  {
    reference: 'srv_api_credit',
    name: 'Inference credit',
    category: 'api_credit',
    documentation_url: 'https://provider.example/guides/inference-credit',
    products: [product('inference-1000', '2.00', 'USD', 10_000), product('inference-bulk', '1500.00', 'USD', 10)],
  },
  {
    reference: 'srv_post',
    name: 'Letters by post',
    category: 'postage',
    documentation_url: null,
    products: [product('letter-eu', '1.35', 'EUR', 500), product('letter-world', '2.10', 'EUR', 500)],
  },
]
