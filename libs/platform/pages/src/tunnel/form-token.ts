/**
 * Tokens against forged forms (CSRF). A token is bound to one browser: to its session, to the secret of a browser
 * without a session, or to another value that only this browser's cookie holds. The tokens are computed and never
 * stored.
 */

import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

/** Makes and checks tokens. `Owner` names the kinds of values to which a token may be bound. */
export type FormTokens<Owner extends string> = {
  token: (owner: Owner, id: string) => string
  holds: (given: unknown, owner: Owner, id: string) => boolean
}

/**
 * @param secret a key that all replicas of the service share; the key for the tokens is derived from it (RFC 5869)
 * @param purpose separates this key from other keys that are derived from the same secret
 */
export function createFormTokens<Owner extends string>(secret: Buffer, purpose: string): FormTokens<Owner> {
  const key = Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))
  const digest = (owner: Owner, id: string) => createHmac('sha256', key).update(`${owner}\0${id}`).digest()
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
