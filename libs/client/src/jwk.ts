/** The types of keys, as every platform has them: the package is built without the types of one. */

import type * as oauth from 'oauth4webapi'

/** A key of Web Cryptography. */
export type CryptoKey = oauth.CryptoKey

/** A key as JSON (RFC 7517). */
export type Jwk = {
  readonly [member: string]: unknown
  kty?: Text
  crv?: Text
  x?: Text
  y?: Text
  d?: Text
  kid?: Text
}

type Text = string | undefined
