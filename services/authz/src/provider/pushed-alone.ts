/**
 * After a pushed request, the authorization request needs only `request_uri` and `client_id` (contract, rule 2).
 * Clients that follow RFC 9101 repeat the other parameters. They are removed before the library reads the query.
 *
 * Invariant: no parameter outside the pushed request is ever used.
 */

import type { KoaContextWithOIDC } from 'oidc-provider'

export function keepPushedAlone(ctx: Pick<KoaContextWithOIDC, 'query'>): void {
  const { client_id, request_uri } = ctx.query
  // RFC 6749, 3.1: a parameter without a value counts as omitted.
  if (request_uri) ctx.query = { ...(client_id === undefined ? {} : { client_id }), request_uri }
}
