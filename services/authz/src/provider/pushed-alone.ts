/**
 * After a pushed request the authorization request carries `request_uri` and `client_id` (contract, rule 2). Clients after
 * RFC 9101 send the other parameters once more: they are taken out before the library reads the query.
 *
 * Invariant: nothing outside the pushed request is ever used.
 */

import type { KoaContextWithOIDC } from 'oidc-provider'

export function keepPushedAlone(ctx: Pick<KoaContextWithOIDC, 'query'>): void {
  const { client_id, request_uri } = ctx.query
  if (request_uri !== undefined) ctx.query = { ...(client_id === undefined ? {} : { client_id }), request_uri }
}
