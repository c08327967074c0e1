/**
 * What a grant gives now, out of what was granted and what its client is registered with.
 *
 * Invariant: never more than the registration: scopes within the ceiling, a policy that is not wider. Whatever reads a grant
 * of an owner reads it through here.
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
