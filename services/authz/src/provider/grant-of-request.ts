/**
 * The grants of owners as the library sees them. Our rows are the only truth, and a grant of the library is a view of a
 * row. A request reads its grant once and keeps the result with its context.
 *
 * Invariant: the library sees a grant only if it is active, not expired, and has the owner's current subject.
 */

import type { AdapterPayload, Grant, KoaContextWithOIDC } from 'oidc-provider'
import type { HumanGrant } from '../store/human-grants.ts'

const found = new WeakMap<object, HumanGrant>()

export function rememberGrant(ctx: KoaContextWithOIDC, grant: HumanGrant): void {
  found.set(ctx, grant)
}

/** Returns the grant that this request read, whatever its status. */
export function findGrantOfRequest(ctx: KoaContextWithOIDC): HumanGrant | undefined {
  return found.get(ctx)
}

const suspended = new WeakMap<object, Date>()

/** Returns the time of a suspension after which the owner must sign in before anything is allowed again. */
export function findSuspensionOfRequest(ctx: KoaContextWithOIDC): Date | undefined {
  return suspended.get(ctx)
}

export function isUsable(grant: HumanGrant, now: Date): boolean {
  return grant.status === 'active' && grant.expires_at > now
}

/** The grant in the form that an adapter returns. */
export function grantPayload(grant: HumanGrant, resource: string): AdapterPayload {
  return {
    kind: 'Grant',
    jti: grant.grant_id,
    accountId: grant.owner_id,
    clientId: grant.client_id,
    iat: Math.floor(grant.created_at.getTime() / 1_000),
    exp: Math.floor(grant.expires_at.getTime() / 1_000),
    ...(grant.openid ? { openid: { scope: 'openid' } } : {}),
    ...(grant.scopes.length > 0 ? { resources: { [resource]: grant.scopes.join(' ') } } : {}),
  }
}

/** The library's `loadExistingGrant`: returns the owner's grant to this client, if it can be used. */
export function createLoadExistingGrant(dependencies: {
  baseUrl: string
  now: () => Date
  findHumanGrant: (ownerId: string, clientId: string) => Promise<HumanGrant | undefined>
  findSuspension: (ownerId: string, clientId: string) => Promise<Date | undefined>
  subjectOf: (ctx: KoaContextWithOIDC, ownerId: string) => string
}) {
  return async (ctx: KoaContextWithOIDC): Promise<Grant | undefined> => {
    const { client, account, provider } = ctx.oidc
    if (!client || !account) return undefined
    const grant = await dependencies.findHumanGrant(account.accountId, client.clientId)
    if (grant?.status !== 'active') {
      const suspendedAt = await dependencies.findSuspension(account.accountId, client.clientId)
      if (suspendedAt) suspended.set(ctx, suspendedAt)
    }
    if (!grant) return undefined
    rememberGrant(ctx, grant)
    const known = grant.subject === dependencies.subjectOf(ctx, account.accountId)
    if (!known || !isUsable(grant, dependencies.now())) return undefined
    return new provider.Grant(grantPayload(grant, dependencies.baseUrl))
  }
}
