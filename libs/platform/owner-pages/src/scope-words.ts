/** The effect of each scope on the owner's affairs. `words/scopes.ts` says it in words. */

import type { Scope } from '@financial-agents/contract/scopes'

/** The application sees something, changes something or moves money. */
type Reach = 'see' | 'change' | 'move'

export const reachOfScopes = {
  openid: 'see',
  'identity:read': 'see',
  'accounts:read': 'see',
  'activity:read': 'see',
  'spending:read': 'see',
  'beneficiaries:read': 'see',
  'cards:read': 'see',
  'purchases:read': 'see',
  'kyc:read': 'see',
  'operations:read': 'see',
  'authorization:read': 'see',
  'services:read': 'see',
  'transfers:quote': 'see',
  'beneficiaries:write': 'change',
  'cards:manage': 'change',
  'spending:withdraw': 'move',
} as const satisfies { readonly [S in Scope | 'openid']: Reach }

export type KnownScope = keyof typeof reachOfScopes

/** Returns the scopes that have words, in reading order: from seeing to moving money. */
export function knownScopes(scopes: readonly string[]): KnownScope[] {
  const wanted = new Set(scopes)
  return (Object.keys(reachOfScopes) as KnownScope[]).filter((scope) => wanted.has(scope))
}
