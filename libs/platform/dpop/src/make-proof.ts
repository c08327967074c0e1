/**
 * The client's side: makes DPoP proofs for a key (RFC 9449 §4.2). The development client, the tests and the benchmarks
 * use it.
 *
 * Invariant: a proof names its target without query and fragment, has a new `jti` unless the caller gives one, and
 * never contains the private key.
 */

import { createPublicKey, hash, type KeyObject, randomUUID, sign } from 'node:crypto'
import { thumbprint } from './proof-header.ts'

/** The request for which a proof is made. */
export interface ProofInput {
  method: string
  /** The target URL; its query and fragment are ignored. */
  url: string
  /** The access token for a request to a protected resource. Absent at the token endpoint. */
  accessToken?: string
  /** The last nonce that the server has sent. */
  nonce?: string
  /** The time for `iat`; by default now. */
  iatMs?: number
  jti?: string
}

export interface ProofMaker {
  /** The JWK thumbprint of the key. */
  readonly jkt: string
  readonly publicJwk: { kty: 'EC'; crv: 'P-256'; x: string; y: string }
  makeProof(input: ProofInput): string
}

/**
 * @param privateKey an EC P-256 private key
 * @throws TypeError for any other key
 */
export function createProofMaker(privateKey: KeyObject): ProofMaker {
  if (privateKey.type !== 'private' || privateKey.asymmetricKeyDetails?.namedCurve !== 'prime256v1') {
    throw new TypeError('a proof is signed with a P-256 private key')
  }
  const { x = '', y = '' } = createPublicKey(privateKey).export({ format: 'jwk' })
  const publicJwk = { kty: 'EC', crv: 'P-256', x, y } as const
  const header = encode({ typ: 'dpop+jwt', alg: 'ES256', jwk: publicJwk })

  return {
    jkt: thumbprint(x, y),
    publicJwk,
    makeProof({ method, url, accessToken, nonce, iatMs = Date.now(), jti = randomUUID() }) {
      const payload = encode({
        jti,
        htm: method,
        htu: url.replace(/[?#].*$/s, ''),
        iat: Math.floor(iatMs / 1000),
        ...(accessToken === undefined ? {} : { ath: hash('sha256', accessToken, 'base64url') }),
        ...(nonce === undefined ? {} : { nonce }),
      })
      const signed = `${header}.${payload}`
      const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' })
      return `${signed}.${signature.toString('base64url')}`
    },
  }
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
