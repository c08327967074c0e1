import type { KnownScope } from '@financial-agents/client'

/** The scopes that the commands need. A sign-in asks for all of them unless `--scopes` says less. */
export const defaultScopes: readonly KnownScope[] = [
  'identity:read',
  'authorization:read',
  'accounts:read',
  'operations:read',
  'beneficiaries:read',
  'beneficiaries:write',
  'cards:read',
  'cards:manage',
  'spending:withdraw',
]
