/**
 * Access tokens: verified once (jose), then known by their text until they expire. Expiry is checked at every use.
 * A token that is not DPoP-bound or names no grant is none.
 */

import { Problem } from '@financial-agents/contract/problem'
import { createBoundedMap } from '@financial-agents/dpop/bounded-map'
import { tokenHash } from '@financial-agents/dpop/proof'
import { type JWTHeaderParameters, type JWTVerifyResult, jwtVerify } from 'jose'
import type { SigningKeys } from './signing-keys.ts'

export type AccessToken = {
  grantId: string
  clientId: string
  /** Thumbprint of the key that the token is bound to. */
  jkt: string
  scopes: ReadonlySet<string>
  /** What the `ath` of a proof for it must be. */
  ath: string
  expiresAtMs: number
  /** It is of the access token class, from our issuer and for our audience. Judged after the proof. */
  isForUs: boolean
}

export type AccessTokens = {
  /** @throws Problem invalid_token, authorization_unavailable */
  verify(token: string): AccessToken | Promise<AccessToken>
  forgetAll(): void
}

const maxTokenChars = 8_192
const maxTokens = 20_000
const clockToleranceS = 5

export function createAccessTokens(options: {
  issuer: string
  nowMs: () => number
  signingKeys: SigningKeys
  /** A token for us that was never here before. */
  onNew: (token: AccessToken) => void
}): AccessTokens {
  const { issuer, nowMs, signingKeys, onNew } = options
  let known = createBoundedMap<AccessToken>(maxTokens)

  const verifyFirst = async (text: string): Promise<AccessToken> => {
    const before = known
    const token = readToken(text, await verifySignature(text, signingKeys, nowMs()), issuer)
    checkExpiry(token, nowMs())
    // Not into a map that was begun after this verification: it may be of a key that is gone.
    if (known === before) known.set(text, token)
    if (token.isForUs) onNew(token)
    return token
  }
  return {
    verify: (text) => {
      const token = known.get(text)
      if (token === undefined) {
        if (text.length > maxTokenChars) throw refusal('It is too long.')
        return verifyFirst(text)
      }
      checkExpiry(token, nowMs())
      return token
    },
    forgetAll: () => {
      known = createBoundedMap(maxTokens)
    },
  }
}

async function verifySignature(text: string, signingKeys: SigningKeys, nowMs: number): Promise<JWTVerifyResult> {
  const options = { algorithms: ['ES256'], currentDate: new Date(nowMs), clockTolerance: clockToleranceS }
  try {
    return await jwtVerify(
      text,
      async ({ kid }: JWTHeaderParameters) => {
        const key = kid === undefined ? undefined : await signingKeys.find(kid)
        if (!key) throw refusal('It is not signed by a key of this environment.')
        return key
      },
      options,
    )
  } catch (error) {
    if (error instanceof Problem) throw error
    const code = (error as { code?: unknown }).code
    throw refusal(code === 'ERR_JWT_EXPIRED' ? 'It has expired.' : 'Its form, signature or validity is wrong.')
  }
}

function readToken(text: string, { payload, protectedHeader }: JWTVerifyResult, issuer: string): AccessToken {
  const { exp, client_id: clientId, grant_id: grantId, scope } = payload
  const jkt = (payload['cnf'] as { jkt?: unknown } | undefined)?.jkt
  if (typeof jkt !== 'string') throw refusal('It is not bound to a DPoP key.')
  if (typeof exp !== 'number' || typeof clientId !== 'string' || typeof grantId !== 'string')
    throw refusal('It is not an access token.')
  return {
    grantId,
    clientId,
    jkt,
    ath: tokenHash(text),
    scopes: new Set(typeof scope === 'string' ? scope.split(' ') : []),
    expiresAtMs: exp * 1_000,
    isForUs: protectedHeader.typ === 'at+jwt' && payload.iss === issuer && isOnly(payload.aud, issuer),
  }
}

function isOnly(audience: string | string[] | undefined, wanted: string): boolean {
  return Array.isArray(audience) ? audience.length === 1 && audience[0] === wanted : audience === wanted
}

function checkExpiry(token: AccessToken, nowMs: number): void {
  if (token.expiresAtMs <= nowMs) throw refusal('It has expired.')
}

function refusal(why: string): Problem {
  return new Problem('invalid_token', { detail: `The access token is not valid. ${why}` })
}
