/**
 * Tokens against forged forms. A token belongs to one browser: to its session, to the secret of a browser where nobody is
 * signed in, or to whatever else only it has the cookie of. Nothing is stored.
 */

import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

/** Makes and checks tokens; `Owner` names what they may be bound to. */
export type FormTokens<Owner extends string> = {
  token: (owner: Owner, id: string) => string
  holds: (given: unknown, owner: Owner, id: string) => boolean
}

/**
 * @param secret a key of the service that all replicas share; the tokens' own key is derived from it (RFC 5869)
 * @param purpose sets them apart from whatever else is derived from it
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
