/** Accounts area: the owner's accounts at the provider, and the provider's withdrawal limits. */

import { z } from 'zod'
import { route } from '../route.ts'
import { account, withdrawalLimits } from '../schemas/account.ts'
import { currency, cursor, limit, page, pathId, text } from '../schemas/primitives.ts'

const area = {
  area: 'accounts',
  service: 'spending',
  method: 'GET',
  scope: 'accounts:read',
  binding: true,
} as const

export const accountsRoutes = {
  listAccounts: route({
    summary: 'List accounts',
    ...area,
    path: '/v1/accounts',
    client: 'accounts.list',
    cli: 'accounts',
    capability: 'accounts.read',
    query: z.strictObject({ cursor, limit }),
    response: page(account),
    problems: ['provider_unavailable'],
  }),
  getAccount: route({
    summary: 'Read an account',
    ...area,
    path: '/v1/accounts/{account_id}',
    client: 'accounts.get',
    capability: 'accounts.read',
    params: z.strictObject({ account_id: pathId('The account.') }),
    response: account,
    problems: ['account_not_found', 'provider_unavailable'],
  }),
  getWithdrawalLimits: route({
    summary: 'Read the withdrawal limits of a payout schema',
    description: 'The limits grant no authority to withdraw.',
    ...area,
    path: '/v1/accounts/withdrawal-limits',
    client: 'accounts.withdrawalLimits',
    capability: 'accounts.read',
    query: z.strictObject({
      schema: text(1, 512).describe('The payout schema.'),
      currency: currency.optional().describe('Only limits for this currency (ISO 4217).'),
      account_type: text(1, 128).optional().describe('Only limits for accounts of this type.'),
    }),
    response: withdrawalLimits,
    problems: ['provider_unavailable'],
  }),
}
