/** The types of keys, in the form that all platforms have: the package is built without the types of any platform. */

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
