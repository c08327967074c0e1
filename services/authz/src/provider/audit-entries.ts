/**
 * The audit entries for the library's actions, made from the context of its request. They never contain a token, code
 * or proof.
 */

import { currentContext } from '@financial-agents/runtime/context'
import type { KoaContextWithOIDC } from 'oidc-provider'
import type { AuditEntry } from '../store/audit.ts'
import { isThumbprint } from './checks/check-dpop-jkt.ts'
import { findServiceGrant } from './client-members.ts'

/** The entry for a token that was issued to a client, for a service account or an owner. */
export function tokenIssued(ctx: KoaContextWithOIDC, at: Date): AuditEntry {
  const { client, entities, params } = ctx.oidc
  const { ClientCredentials: ofService, AccessToken: ofOwner } = entities
  const token = ofOwner ?? ofService
  if (!client || !token) throw new Error('a token was issued to nobody')
  const serviceGrant = findServiceGrant(client)
  const refreshed = params?.['grant_type'] === 'refresh_token'
  return {
    ...about(ctx, at),
    event: refreshed ? 'token_refreshed' : 'token_issued',
    actor: 'client',
    grant_id: ofOwner?.grantId ?? serviceGrant?.grant_id ?? null,
    owner_id: ofOwner?.accountId ?? serviceGrant?.owner_id ?? null,
    detail: { scope: token.scope ?? '', key_thumbprint: token.jkt },
  }
}

/** The entry for an authorization that an owner's browser finished by redirect. */
export function authorized(ctx: KoaContextWithOIDC, at: Date): AuditEntry {
  const { client, session, params } = ctx.oidc
  const key = params?.['dpop_jkt']
  return {
    ...about(ctx, at),
    event: 'authorized',
    actor: 'owner',
    grant_id: (client && session?.grantIdFor(client.clientId)) ?? null,
    owner_id: session?.accountId ?? null,
    detail: { scope: params?.['scope'] ?? '', ...(isThumbprint(key) ? { key_thumbprint: key } : {}) },
  }
}

export function deviceApproved(
  ctx: KoaContextWithOIDC,
  { grantId, accountId }: { grantId: string; accountId: string },
  at: Date,
): AuditEntry {
  return {
    ...about(ctx, at),
    event: 'device_approved',
    actor: 'owner',
    grant_id: grantId,
    owner_id: accountId,
    detail: { scope: ctx.oidc.params?.['scope'] ?? '' },
  }
}

/** The entry for an authorization that stopped: the owner declined, or had not agreed. */
export function denied(ctx: KoaContextWithOIDC, at: Date): AuditEntry {
  const device = ctx.oidc.entities.DeviceCode !== undefined
  return {
    ...about(ctx, at),
    event: device ? 'device_denied' : 'authorization_denied',
    actor: 'owner',
    grant_id: null,
    owner_id: ctx.oidc.session?.accountId ?? null,
    detail: {},
  }
}

function about(ctx: KoaContextWithOIDC, at: Date) {
  return {
    at,
    client_id: ctx.oidc.client?.clientId ?? null,
    request_id: currentContext()?.requestId ?? null,
    remote_address: ctx.ip,
  }
}
