/** Tokens that protect the forms of pages against forgery. */

import { createFormTokens, type FormTokens } from '@financial-agents/carried-http/form-token'

/** The object that a token is bound to. `interaction` is an authorization under way, which has a cookie of its own. */
export type CsrfOwner = 'session' | 'browser' | 'interaction'

export type Csrf = FormTokens<CsrfOwner>

/** @param secret a key of the service that all replicas share */
export function createCsrf(secret: Buffer): Csrf {
  return createFormTokens(secret, 'csrf tokens of the pages')
}
