/**
 * A careful client with a key of its own and one connection, on which it sends one request at a time. It answers a
 * challenge for a nonce once. It repeats an identical request if a problem says that this is safe. It never repeats a
 * request whose connection broke: that counts as a failure.
 */

import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { createProofMaker } from '@financial-agents/dpop/make-proof'
import { type CryptoKey, importJWK, type JWK, SignJWT } from 'jose'
import { Agent } from 'undici'
import type { Endpoints } from './endpoints.ts'
import { count, type Record } from './record.ts'

export type RollingRequest = {
  /** The name in the record. */
  name: string
  method: 'GET' | 'POST'
  path: string
  headers?: { [name: string]: string }
  body?: string
}

// oxlint-disable-next-line typescript/no-explicit-any -- what a client reads from the wire has no type of ours
export type RollingResponse = { status: number; headers: { [name: string]: unknown }; body: any }

export type Form = { [name: string]: string }

export type LoadClient = {
  name: string
  /** The thumbprint of its key. */
  jkt: string
  /** Sends a request without credentials. */
  open(asked: RollingRequest): Promise<RollingResponse>
  /** Sends a request with the token and a proof. */
  protected(asked: RollingRequest): Promise<RollingResponse>
  /**
   * Sends a form with a proof to the token endpoint. The form is made anew for each attempt. Later requests use the
   * returned token.
   */
  token(name: string, form: () => Promise<Form> | Form): Promise<RollingResponse>
  close(): Promise<void>
}

const patienceMs = 180_000
const pauseMs = 200

export type ClientOptions = { name: string; baseUrl: string; endpoints: Endpoints; record: Record }

export function createLoadClient({ name, baseUrl, endpoints, record }: ClientOptions): LoadClient {
  const agent = new Agent({ connections: 1, pipelining: 1, connect: endpoints.connect })
  const proofs = createProofMaker(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey)
  const nonces: { api?: string; token?: string } = {}
  let accessToken = ''

  const exchange = async ({ method, path, headers = {}, body }: RollingRequest): Promise<RollingResponse> => {
    const answer = await agent.request({ origin: baseUrl, method, path, headers, body: body ?? null })
    const text = await answer.body.text()
    const isJson = String(answer.headers['content-type']).includes('json')
    return { status: answer.statusCode, headers: answer.headers, body: isJson ? JSON.parse(text) : text }
  }
  const proven = async (asked: RollingRequest, server: 'api' | 'token'): Promise<RollingResponse> => {
    const nonce = nonces[server]
    const dpop = proofs.makeProof({
      method: asked.method,
      url: baseUrl + asked.path,
      ...(server === 'api' ? { accessToken } : {}),
      ...(nonce === undefined ? {} : { nonce }),
    })
    const authorization = server === 'api' ? { authorization: `DPoP ${accessToken}` } : {}
    const answer = await exchange({ ...asked, headers: { ...asked.headers, ...authorization, dpop } })
    const given = answer.headers['dpop-nonce']
    if (typeof given === 'string') nonces[server] = given
    return answer
  }
  /** Answers a challenge once. */
  const challenged = async (
    server: 'api' | 'token',
    make: () => Promise<RollingRequest> | RollingRequest,
  ): Promise<RollingResponse> => {
    const answer = await proven(await make(), server)
    if (!asksForNonce(answer)) return answer
    if (server === 'api') count(record.challenges, name)
    return proven(await make(), server)
  }
  /** Repeats a request with the same key while its answer is retryable. */
  const patient = async (what: string, send: () => Promise<RollingResponse>): Promise<RollingResponse> => {
    const until = performance.now() + patienceMs
    for (;;) {
      const answer = await send()
      if (!mayBeRepeated(answer) || performance.now() > until) return answer
      count(record.unavailable, `${what} ${answer.body.code ?? answer.body.error}`)
      await delay(Number(answer.headers['retry-after'] ?? 0) * 1_000 || pauseMs)
    }
  }
  return {
    name,
    jkt: proofs.jkt,
    open: (asked) => patient(asked.name, () => exchange(asked)),
    protected: (asked) => patient(asked.name, () => challenged('api', () => asked)),
    token: async (what, form) => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const asked = { name: what, method: 'POST', path: '/oauth/token', headers } as const
      const make = async () => ({ ...asked, body: new URLSearchParams(await form()).toString() })
      const answer = await patient(what, () => challenged('token', make))
      if (answer.status === 200) accessToken = answer.body.access_token
      return answer
    },
    close: () => agent.close(),
  }
}

function asksForNonce({ status, body }: RollingResponse): boolean {
  return (status === 401 && body.code === 'use_dpop_nonce') || (status === 400 && body.error === 'use_dpop_nonce')
}

/** OAuth endpoints answer with the errors of OAuth. */
function mayBeRepeated({ status, body }: RollingResponse): boolean {
  return status === 503 && (body.retryable === true || body.error === 'temporarily_unavailable')
}

/** Makes the token requests of a service account, each with a new assertion. */
export function createAssertions(baseUrl: string, clientId: string, jwk: JWK) {
  const imported = importJWK(jwk, 'ES256') as Promise<CryptoKey>
  return async (scope: string): Promise<Form> => ({
    grant_type: 'client_credentials',
    scope,
    resource: baseUrl,
    client_id: clientId,
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: await new SignJWT({})
      .setProtectedHeader({ alg: 'ES256', kid: jwk.kid as string })
      .setIssuer(clientId)
      .setSubject(clientId)
      .setAudience(baseUrl)
      .setJti(randomUUID())
      .setIssuedAt()
      .setExpirationTime('60s')
      .sign(await imported),
  })
}
