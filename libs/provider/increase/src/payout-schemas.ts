/** The ways to pay at Increase that the adapter knows, as payout schemas: both pay an account in the United States in US dollars. */

import type { AddressCountry, PayoutField, PayoutSchema } from '@financial-agents/provider-port/payout-schemas'

export const schemaIds = { ach_us_usd: 'ach', rtp_us_usd: 'rtp' } as const

const fields: readonly PayoutField[] = [
  {
    key: 'routing_number',
    label: 'Routing number',
    type: 'string',
    pattern: '^\\d{9}$',
    min_length: 9,
    max_length: 9,
    options: null,
    required: true,
  },
  {
    key: 'account_number',
    label: 'Account number',
    type: 'string',
    pattern: '^\\d{4,17}$',
    min_length: 4,
    max_length: 17,
    options: null,
    required: true,
  },
  {
    key: 'account_type',
    label: 'Account type',
    type: 'enum',
    pattern: null,
    min_length: null,
    max_length: null,
    options: ['checking', 'savings'],
    required: false,
  },
]

function schema(id: keyof typeof schemaIds, name: string): PayoutSchema {
  const example_details = { routing_number: '101050001', account_number: '987654321', account_type: 'checking' }
  return { id, name, country: 'US', currency: 'USD', rail: schemaIds[id], fields, example_details }
}

export const payoutSchemas: readonly PayoutSchema[] = [
  schema('ach_us_usd', 'US account (ACH)'),
  schema('rtp_us_usd', 'US account (Real-Time Payments)'),
]

export const addressCountries: readonly AddressCountry[] = [{ code: 'US', alpha3: 'USA', name: 'United States' }]
