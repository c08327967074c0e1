/**
 * Computes the current permissions of a grant, from its contents and its client's registration.
 *
 * Invariant: the result never exceeds the registration: scopes stay within the limit, and the policy is not wider.
 * All code that reads an owner's grant reads it through this function.
 */

import type { GrantPolicy } from '@financial-agents/contract/schemas/authorization'
import { type Scope, scopeNames } from '@financial-agents/contract/scopes'
import type { Registration } from '../registration/registration.ts'
import { effectivePolicy } from './grant-policy.ts'

export type Granted = { scopes: readonly string[]; openid: boolean; policy: GrantPolicy | null }

export type Effective = { scopes: Scope[]; openid: boolean; policy: GrantPolicy }

export function effectiveGrant({ scopes, openid, policy }: Granted, registration: Registration): Effective {
  const ceiling = new Set<string>(registration.scopes)
  return {
    scopes: scopeNames.filter((scope) => scopes.includes(scope) && ceiling.has(scope)),
    openid: openid && ceiling.has('openid'),
    policy: effectivePolicy(registration, policy),
  }
}
