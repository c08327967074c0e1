/** Beneficiaries area: beneficiaries of the owner, and the provider's payout schemas and address countries. */

import { z } from 'zod'
import { route } from '../route.ts'
import {
  addressCountries,
  beneficiary,
  createBeneficiaryBody,
  payoutSchema,
  virtualAccountEconomics,
} from '../schemas/beneficiary.ts'
import { operation } from '../schemas/operation.ts'
import { country, currency, cursor, limit, page, pathId } from '../schemas/primitives.ts'

const area = { area: 'beneficiaries', service: 'beneficiaries', binding: true } as const

/** The rows of the area `beneficiaries`. */
export const beneficiariesRoutes = {
  createBeneficiary: route({
    summary: 'Create a beneficiary',
    description: '`details` holds the fields that the payout schema requires. Responses contain only masks of them.',
    ...area,
    method: 'POST',
    path: '/v1/beneficiaries',
    client: 'beneficiaries.create',
    cli: 'payees add --name {name} --nickname {nickname} --country {country} --currency {currency} {details}',
    capability: 'beneficiaries.create',
    opens: 'beneficiary_create',
    scope: 'beneficiaries:write',
    keyed: true,
    refreshOnboarding: true,
    body: createBeneficiaryBody,
    status: 202,
    response: operation,
    problems: ['provider_unavailable'],
  }),
  listBeneficiaries: route({
    summary: 'List beneficiaries',
    ...area,
    method: 'GET',
    path: '/v1/beneficiaries',
    client: 'beneficiaries.list',
    cli: 'payees list',
    capability: 'beneficiaries.read',
    scope: 'beneficiaries:read',
    query: z.strictObject({ cursor, limit }),
    response: page(beneficiary),
  }),
  getBeneficiary: route({
    summary: 'Read a beneficiary',
    ...area,
    method: 'GET',
    path: '/v1/beneficiaries/{beneficiary_id}',
    client: 'beneficiaries.get',
    capability: 'beneficiaries.read',
    scope: 'beneficiaries:read',
    params: z.strictObject({ beneficiary_id: pathId('The beneficiary.') }),
    response: beneficiary,
    problems: ['beneficiary_not_found'],
  }),
  listPayoutSchemas: route({
    summary: 'List payout schemas',
    description: 'Payout methods, each with the fields that it requires.',
    ...area,
    method: 'GET',
    path: '/v1/beneficiaries/payout-schemas',
    client: 'payoutSchemas.list',
    capability: 'beneficiaries.read',
    scope: 'beneficiaries:read',
    query: z.strictObject({
      country: country.optional().describe('Only payout schemas for this country (ISO 3166-1 alpha-2).'),
      currency: currency.optional().describe('Only payout schemas for this currency (ISO 4217).'),
      cursor,
      limit,
    }),
    response: page(payoutSchema),
    problems: ['provider_unavailable'],
  }),
  getPayoutSchema: route({
    summary: 'Read a payout schema',
    ...area,
    method: 'GET',
    path: '/v1/beneficiaries/payout-schemas/{payout_schema_id}',
    client: 'payoutSchemas.get',
    capability: 'beneficiaries.read',
    scope: 'beneficiaries:read',
    params: z.strictObject({ payout_schema_id: z.string().describe('The payout schema.') }),
    response: payoutSchema,
    problems: ['payout_schema_not_found', 'provider_unavailable'],
  }),
  getVirtualAccountEconomics: route({
    summary: 'List the fees of virtual accounts',
    ...area,
    method: 'GET',
    path: '/v1/beneficiaries/virtual-account-economics',
    client: 'beneficiaries.virtualAccountEconomics',
    capability: 'beneficiaries.read',
    scope: 'beneficiaries:read',
    response: virtualAccountEconomics,
    problems: ['provider_unavailable'],
  }),
  listAddressCountries: route({
    summary: 'List the countries that an address can be in',
    ...area,
    method: 'GET',
    path: '/v1/beneficiaries/address-countries',
    client: 'beneficiaries.addressCountries',
    capability: 'beneficiaries.read',
    scope: 'beneficiaries:read',
    response: addressCountries,
    problems: ['provider_unavailable'],
  }),
}
