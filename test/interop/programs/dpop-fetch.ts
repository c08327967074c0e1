/** A `fetch` that sends a DPoP-bound access token with a new proof for each request (RFC 9449), as a client's engineers would. */

import { createHash, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { importPKCS8, type JWK, SignJWT } from 'jose'

/** The file that every program gets: where the API is, a token, and the key to which the token is bound. */
export type Session = {
  base_url: string
  access_token: string
  private_key_pem: string
  public_jwk: JWK
  idempotency_key: string
  unknown_operation: string
}

export function readSession(): Session {
  return JSON.parse(readFileSync(process.env['SESSION_FILE'] as string, 'utf8')) as Session
}

export async function createDpopFetch(session: Session): Promise<(request: Request) => Promise<Response>> {
  const key = await importPKCS8(session.private_key_pem, 'ES256')
  const ath = createHash('sha256').update(session.access_token).digest('base64url')
  let nonce: string | undefined
  const send = async (request: Request) => {
    const { origin, pathname } = new URL(request.url)
    const claims = { htm: request.method, htu: origin + pathname, ath, ...(nonce === undefined ? {} : { nonce }) }
    const proof = await new SignJWT(claims)
      .setProtectedHeader({ typ: 'dpop+jwt', alg: 'ES256', jwk: session.public_jwk })
      .setJti(randomUUID())
      .setIssuedAt()
      .sign(key)
    const signed = new Request(request)
    signed.headers.set('Authorization', `DPoP ${session.access_token}`)
    signed.headers.set('DPoP', proof)
    const response = await fetch(signed)
    nonce = response.headers.get('DPoP-Nonce') ?? nonce
    return response
  }
  return async (request) => {
    const again = request.clone()
    const response = await send(request)
    const isChallenge = response.headers.get('WWW-Authenticate')?.includes('use_dpop_nonce') === true
    return isChallenge ? send(again) : response
  }
}
