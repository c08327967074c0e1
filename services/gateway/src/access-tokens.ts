/**
 * Access tokens of one issuer: verified once (jose), then known by their text until they expire. Expiry is checked at every
 * use. A token that is not DPoP-bound is none, nor one without the claims of its class.
 */

import { Problem } from '@financial-agents/contract/problem'
import { createBoundedMap } from '@financial-agents/dpop/bounded-map'
import { tokenHash } from '@financial-agents/dpop/proof'
import { decodeJwt, type JWTHeaderParameters, type JWTPayload, type JWTVerifyResult, jwtVerify } from 'jose'
import type { SigningKeys } from './signing-keys.ts'

export type BoundToken = {
  /** Thumbprint of the key that the token is bound to. */
  jkt: string
  scopes: ReadonlySet<string>
  /** What the `ath` of a proof for it must be. */
  ath: string
  expiresAtMs: number
  /** It is of the access token class, from this issuer and for its audience. Judged after the proof. */
  isForUs: boolean
}

export type AccessTokens<Token extends BoundToken> = {
  /** @throws Problem invalid_token, authorization_unavailable */
  verify(token: string): Token | Promise<Token>
  forgetAll(): void
}

/** What a class of tokens carries besides; undefined where a claim is missing that makes it one. */
export type ReadClaims<Token extends BoundToken> = (payload: JWTPayload) => Omit<Token, keyof BoundToken> | undefined

const maxTokenChars = 8_192
const maxTokens = 20_000
const clockToleranceS = 5

export function createAccessTokens<Token extends BoundToken>(options: {
  /** Its audience too. */
  issuer: string
  readClaims: ReadClaims<Token>
  nowMs: () => number
  signingKeys: SigningKeys
  /** A token for us that was never here before. */
  onNew?: (token: Token) => void
}): AccessTokens<Token> {
  const { issuer, readClaims, nowMs, signingKeys, onNew } = options
  let known = createBoundedMap<Token>(maxTokens)

  const verifyFirst = async (text: string): Promise<Token> => {
    const before = known
    const verified = await verifySignature(text, { issuer, signingKeys, nowMs: nowMs() })
    const token = readToken(text, verified, issuer, readClaims)
    checkExpiry(token, nowMs())
    // Not into a map that was begun after this verification: it may be of a key that is gone.
    if (known === before) known.set(text, token)
    if (token.isForUs) onNew?.(token)
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

async function verifySignature(
  text: string,
  { issuer, signingKeys, nowMs }: { issuer: string; signingKeys: SigningKeys; nowMs: number },
): Promise<JWTVerifyResult> {
  const options = { algorithms: ['ES256'], currentDate: new Date(nowMs), clockTolerance: clockToleranceS }
  const findKey = (kid: string) => {
    const key = signingKeys.known(kid)
    // Whoever says to be of another issuer is refused whatever the key is: it is not asked for.
    return key ?? (decodeJwt(text).iss === issuer ? signingKeys.find(kid) : undefined)
  }
  try {
    return await jwtVerify(
      text,
      async ({ kid }: JWTHeaderParameters) => {
        const key = kid === undefined ? undefined : await findKey(kid)
        if (!key) throw refusal('It is not signed by a key that this environment takes here.')
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

function readToken<Token extends BoundToken>(
  text: string,
  { payload, protectedHeader }: JWTVerifyResult,
  issuer: string,
  readClaims: ReadClaims<Token>,
): Token {
  const { exp, scope } = payload
  const jkt = (payload['cnf'] as { jkt?: unknown } | undefined)?.jkt
  if (typeof jkt !== 'string') throw refusal('It is not bound to a DPoP key.')
  const claims = readClaims(payload)
  if (typeof exp !== 'number' || claims === undefined) throw refusal('It is not an access token.')
  const bound: BoundToken = {
    jkt,
    ath: tokenHash(text),
    scopes: new Set(typeof scope === 'string' ? scope.split(' ') : []),
    expiresAtMs: exp * 1_000,
    isForUs: protectedHeader.typ === 'at+jwt' && payload.iss === issuer && isOnly(payload.aud, issuer),
  }
  return { ...claims, ...bound } as Token
}

function isOnly(audience: string | string[] | undefined, wanted: string): boolean {
  return Array.isArray(audience) ? audience.length === 1 && audience[0] === wanted : audience === wanted
}

function checkExpiry(token: BoundToken, nowMs: number): void {
  if (token.expiresAtMs <= nowMs) throw refusal('It has expired.')
}

function refusal(why: string): Problem {
  return new Problem('invalid_token', { detail: `The access token is not valid. ${why}` })
}
