/**
 * Tokens against forged forms. A token belongs to one browser: to its session, to the secret of a browser where nobody is
 * signed in, or to the authorization that it has the cookie of. Nothing is stored.
 */

import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

/** What a token is bound to. */
export type CsrfOwner = 'session' | 'browser' | 'interaction'

export type Csrf = {
  token: (owner: CsrfOwner, id: string) => string
  holds: (given: unknown, owner: CsrfOwner, id: string) => boolean
}

/** @param secret a key of the service that all replicas share; the tokens' own key is derived from it (RFC 5869) */
export function createCsrf(secret: Buffer): Csrf {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'csrf tokens of the pages', 32))
  const digest = (owner: CsrfOwner, id: string) => createHmac('sha256', key).update(`${owner}\0${id}`).digest()
  return {
    token: (owner, id) => digest(owner, id).toString('base64url'),
    holds: (given, owner, id) => {
      if (typeof given !== 'string') return false
      const bytes = Buffer.from(given, 'base64url')
      const expected = digest(owner, id)
      return bytes.length === expected.length && timingSafeEqual(bytes, expected)
    },
  }
}
