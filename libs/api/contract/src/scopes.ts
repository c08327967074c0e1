/**
 * The closed set of customer scopes (contract, "Scopes"). `purchases:execute` is deliberately absent: the authorization
 * server refuses a request for it.
 */

/** Every scope of the API, with the access that it gives. */
export const scopes = {
  'accounts:read': 'Financial accounts and withdrawal limits',
  'activity:read': 'Sanitised financial activity',
  'authorization:read': 'The current grant and its effective policy',
  'beneficiaries:read': 'Beneficiaries and reference data',
  'beneficiaries:write': 'Create beneficiaries through durable operations',
  'cards:manage': 'Create cards and manage their non-sensitive lifecycle',
  'cards:read': 'Non-sensitive card state and activity',
  'identity:read': 'Safe display preferences',
  'kyc:read': 'Normalised verification status',
  'operations:read': 'Operations of the same subject and client',
  'purchases:read': 'Purchase state bound to quotes',
  'services:read': 'Services available under the policy of the grant',
  'spending:read': 'The spending account',
  'spending:withdraw': 'Create withdrawals through durable operations',
  'transfers:quote': 'Transfer estimates that cannot be executed',
} as const

export type Scope = keyof typeof scopes

/** All scopes, in the form that a schema needs. */
export const scopeNames = Object.keys(scopes) as readonly Scope[]

/**
 * The scopes of operators, with another issuer and audience. Customers' routes do not accept them, and operators'
 * routes do not accept customers' scopes.
 */
export const operatorScopes = {
  'ops:read': 'Operations, their history and grants, as operators see them',
  'ops:suspend': 'Suspend a grant',
} as const

export type OperatorScope = keyof typeof operatorScopes
