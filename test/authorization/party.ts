/**
 * A client without a library. It sends good requests by default. Every parameter, claim and header can be changed or
 * left out (`undefined`). It repeats a request once after a DPoP nonce challenge (RFC 9449).
 */

import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { createKey, type Key, makeJws, makeProof, type ProofChanges } from '../contract/hand-client.ts'
import { keyOf } from './clients.ts'
import { environment, type TestClient } from './environment.ts'
import { type Answer, exchange, form, type HeaderList } from './http.ts'
import { note } from './secrets.ts'

type Members = Record<string, unknown>
export type Parameters = Record<string, string | string[] | undefined>

export type Posting = ProofChanges & {
  /** Replaces the client's own assertion: changed claims, a fixed value, or none. */
  assertion?: Members | string | null
  assertionHeader?: Members
  proof?: string | null
  headers?: HeaderList
  /** The address of another replica of the gateway. */
  at?: string
  /** Signs the proof and gives its thumbprint, in place of the client's own key. */
  key?: Key
  /** Does not answer a nonce challenge. */
  once?: true
}

export type AuthorizationRequest = {
  parameters: Record<string, string>
  verifier: string
}

export type Party = ReturnType<typeof createParty>

export const paths = {
  authorize: '/oauth/authorize',
  par: '/oauth/par',
  token: '/oauth/token',
  revocation: '/oauth/revoke',
  device: '/oauth/device',
}

export const secret = (bytes = 32): string => randomBytes(bytes).toString('base64url')
export const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url')
export const nowS = (): number => Math.floor(Date.now() / 1_000)

/** The JWK thumbprint (RFC 7638). */
export function thumbprintOf({ jwk }: Key): string {
  const { crv, kty, x, y } = jwk
  return createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url')
}

export function encodeForm(parameters: Parameters): string {
  const pairs = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((one): [string, string] => [name, one]),
  )
  return new URLSearchParams(pairs).toString()
}

/** The offset of the servers' clocks. Proofs and assertions use it too. */
let offsetS = 0
export function followClock(offsetMs: number): void {
  offsetS = Math.round(offsetMs / 1_000)
}

export function createParty(client: TestClient, key: Key = createKey()) {
  const { baseUrl } = environment()
  const clientKey = keyOf(client)
  let nonce: string | undefined

  const assertion = (changes: Members = {}, header: Members = {}): string => {
    if (!clientKey) throw new Error(`${client.client_id} has no key`)
    const iat = nowS() + offsetS
    const own = { iss: client.client_id, sub: client.client_id, aud: baseUrl, jti: randomUUID(), iat, exp: iat + 60 }
    return makeJws({ alg: 'ES256', kid: clientKey.kid, ...header }, { ...own, ...changes }, clientKey.privateKey)
  }

  const proof = (path: string, changes: ProofChanges & { key?: Key; method?: string } = {}): string => {
    const { key: other = key, method = 'POST', claims, ...rest } = changes
    const moved = { iat: nowS() + offsetS, ...claims }
    return makeProof({ key: other, method, url: baseUrl + path, nonce }, { ...rest, claims: moved })
  }

  const authentication = ({ assertion: given, assertionHeader }: Posting): Parameters => {
    if (given === null || (given === undefined && !clientKey)) return {}
    return {
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: typeof given === 'string' ? given : assertion(given, assertionHeader),
    }
  }

  /** Posts a form to an endpoint. A client with a key authenticates. `proven` adds a proof. */
  const post = async (path: string, parameters: Parameters, posting: Posting, proven: boolean): Promise<Answer> => {
    const { at = baseUrl, headers = [], proof: given, once, assertion: _a, assertionHeader: _h, ...changes } = posting
    const send = () => {
      const list: HeaderList = [...form, ...headers]
      const made = given === undefined && proven ? proof(path, changes) : given
      if (made) list.push(['dpop', made])
      const body = encodeForm({ client_id: client.client_id, ...authentication(posting), ...parameters })
      return exchange(at + path, 'POST', list, body)
    }
    const first = await send()
    const fresh = first.headers.get('dpop-nonce')
    if (fresh) nonce = fresh
    if (first.body['error'] !== 'use_dpop_nonce' || once || typeof posting.assertion === 'string') return first
    const second = await send()
    nonce = second.headers.get('dpop-nonce') ?? nonce
    return second
  }

  /** Returns the parameters of a good authorization request. */
  const request = (changes: Parameters = {}): AuthorizationRequest => {
    const verifier = secret()
    note(verifier)
    const parameters: Parameters = {
      client_id: client.client_id,
      response_type: 'code',
      redirect_uri: client.redirect_uris[0],
      scope: client.scopes.includes('openid') ? 'openid operations:read' : 'operations:read',
      state: secret(12),
      nonce: secret(12),
      code_challenge: challengeOf(verifier),
      code_challenge_method: 'S256',
      dpop_jkt: thumbprintOf(key),
      resource: baseUrl,
      ...changes,
    }
    return { parameters: parameters as Record<string, string>, verifier }
  }

  const push = (parameters: Parameters, posting: Posting = {}) => post(paths.par, parameters, posting, false)

  const token = (parameters: Parameters, posting: Posting = {}) => post(paths.token, parameters, posting, true)

  return {
    client,
    key,
    assertion,
    proof,
    post,
    request,
    push,
    token,
    nonce: () => nonce,
    /**
     * Returns the authorization address. A confidential client pushes the parameters first; a public one sends them in
     * the address.
     */
    authorizeUrl: async ({ parameters }: AuthorizationRequest): Promise<string> => {
      if (!clientKey) return `${baseUrl}${paths.authorize}?${encodeForm(parameters)}`
      const pushed = await push(parameters)
      if (pushed.status !== 201) throw new Error(`PAR answered ${pushed.status} ${pushed.text}`)
      const { request_uri } = pushed.body
      return `${baseUrl}${paths.authorize}?${encodeForm({ client_id: client.client_id, request_uri })}`
    },
    redeem: (
      code: string,
      { parameters, verifier }: AuthorizationRequest,
      changes: Parameters = {},
      posting: Posting = {},
    ) =>
      token(
        {
          grant_type: 'authorization_code',
          code,
          code_verifier: verifier,
          redirect_uri: parameters.redirect_uri,
          ...changes,
        },
        posting,
      ),
    refresh: (refreshToken: string, changes: Parameters = {}, posting: Posting = {}) =>
      token({ grant_type: 'refresh_token', refresh_token: refreshToken, ...changes }, posting),
    revoke: (value: string | undefined, changes: Parameters = {}, posting: Posting = {}) =>
      post(paths.revocation, { token: value, ...changes }, posting, false),
    askDevice: (changes: Parameters = {}, posting: Posting = {}) =>
      post(paths.device, { scope: 'operations:read', ...changes }, posting, false),
    pollDevice: (deviceCode: string, changes: Parameters = {}, posting: Posting = {}) =>
      token(
        { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: deviceCode, ...changes },
        posting,
      ),
    /** Sends a protected request with a token; answers a nonce challenge once. */
    call: async (accessToken: string, path: string, { at = baseUrl, method = 'GET' } = {}): Promise<Answer> => {
      let resourceNonce: string | undefined
      for (let attempt = 0; ; attempt += 1) {
        const made = makeProof(
          { key, method, url: baseUrl + path, token: accessToken, nonce: resourceNonce },
          { claims: { iat: nowS() + offsetS } },
        )
        const answer = await exchange(at + path, method, [
          ['authorization', `DPoP ${accessToken}`],
          ['dpop', made],
        ])
        resourceNonce = answer.headers.get('dpop-nonce') ?? undefined
        if (attempt > 0 || answer.body['code'] !== 'use_dpop_nonce') return answer
      }
    },
  }
}
