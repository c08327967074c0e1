/**
 * Access tokens of one issuer. A token is verified once (jose), and then looked up by its text until it expires. Its
 * expiry is checked at every use. A token without a DPoP key, or without the claims of its class, is invalid.
 */

import { Problem } from '@financial-agents/contract/problem'
import { createBoundedMap } from '@financial-agents/dpop/bounded-map'
import { tokenHash } from '@financial-agents/dpop/proof'
import { decodeJwt, type JWTHeaderParameters, type JWTPayload, type JWTVerifyResult, jwtVerify } from 'jose'
import type { SigningKeys } from './signing-keys.ts'

export type BoundToken = {
  /** The thumbprint of the key to which the token is bound. */
  jkt: string
  scopes: ReadonlySet<string>
  /** The value that a proof's `ath` must have. */
  ath: string
  expiresAtMs: number
  /** True if the token is of the access token class, from this issuer and for its audience. Checked after the proof. */
  isForUs: boolean
}

export type AccessTokens<Token extends BoundToken> = {
  /** @throws Problem invalid_token, authorization_unavailable */
  verify(token: string): Token | Promise<Token>
  forgetAll(): void
}

/** Reads the further claims of a class of tokens; undefined if a required claim is missing. */
export type ReadClaims<Token extends BoundToken> = (payload: JWTPayload) => Omit<Token, keyof BoundToken> | undefined

const maxTokenChars = 8_192
const maxTokens = 20_000
const clockToleranceS = 5

export function createAccessTokens<Token extends BoundToken>(options: {
  /** The issuer, which is also the audience. */
  issuer: string
  readClaims: ReadClaims<Token>
  nowMs: () => number
  signingKeys: SigningKeys
  /** Called when this process first verifies a token that is for us. */
  onNew?: (token: Token) => void
}): AccessTokens<Token> {
  const { issuer, readClaims, nowMs, signingKeys, onNew } = options
  let known = createBoundedMap<Token>(maxTokens)

  const verifyFirst = async (text: string): Promise<Token> => {
    const before = known
    const verified = await verifySignature(text, { issuer, signingKeys, nowMs: nowMs() })
    const token = readToken(text, verified, issuer, readClaims)
    checkExpiry(token, nowMs())
    // Skips a map that was started after this verification began: the key of the token may be gone.
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
    // A token that claims another issuer is refused without fetching its key.
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
