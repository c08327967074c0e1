/**
 * The values that the examples share. Together the examples tell one story: an agent of one owner pays a rent, holds a
 * card and follows its operations.
 */

export const ids = {
  operation: '01980f3e-7b10-7c02-8a31-5f2d1c9e4b07',
  beneficiary: '01980f3e-5a00-7b21-9c44-2e7f6a1d8c13',
  mandate: '01980f3e-61d4-7e55-a0b8-9d3c4f2a6e18',
  card: '01980f3e-64c8-7a90-b2f1-7c5e8d0a3b22',
  reveal: '01980f3e-91af-7d33-8e62-4a9b7c1f5d29',
  transfer: '01980f3e-7b0e-7a14-b6c5-4e8d2f9a7c33',
  intent: '01980f3e-6a2b-7c41-9d55-0a4f1f6f2c11',
  account: '01980f3e-4210-7f66-9a07-1b8d5e3c7f30',
  connection: '01980f3e-3c55-7288-b1c9-6f0e2d4a8b35',
  grant: '01980f3e-2f01-7419-8d20-3c7a9e5b1f40',
  kycSession: '01980f3e-9c11-76aa-a4d3-8e1f5b7c2d44',
  quote: '01980f3e-8b02-71bb-9f15-2d6c4e8a0b51',
  purchaseQuote: '01980f3e-8d7e-74cc-8b36-5a0f9d3e7c58',
  purchase: '01980f3e-8f10-79dd-b7e8-1c4a6f2d9e63',
  service: '01980f3e-1a90-7cee-9e47-7b3d5f0c8a67',
  subscription: '01980f3e-a210-75ff-a819-4f6b2e9d1c72',
  delivery: '01980f3e-a8c3-7011-8c5a-9e7d3b1f6a78',
} as const

export const eur = (amount: string) => ({ amount, currency: 'EUR' })
export const written = { created_at: '2026-11-20T09:15:02.104Z', updated_at: '2026-11-20T09:15:03.377Z' }
export const clientId = 'rent-agent'
