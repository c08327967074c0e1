/**
 * A client without a library. Every byte of a proof, an assertion and a request can be chosen, so that wrong ones can
 * be sent. The client answers no challenge by itself.
 */

import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { ApiResponse } from '@financial-agents/testkit/client'
import type { Stack } from '@financial-agents/testkit/stack'
import { request } from 'undici'

type Members = Record<string, unknown>

export type Key = { privateKey: KeyObject; jwk: Members }

export function createKey(): Key {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { privateKey, jwk: publicKey.export({ format: 'jwk' }) }
}

export const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Makes a compact JWS from any header and claims. `undefined` members are left out. */
export function makeJws(header: Members, claims: Members, key: KeyObject): string {
  const signed = `${encode(header)}.${encode(claims)}`
  return `${signed}.${sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
}

export type ProofChanges = { header?: Members; claims?: Members; signer?: Key }

export function makeProof(
  of: { key: Key; method: string; url: string; token?: string; nonce?: string | undefined },
  changes: ProofChanges = {},
) {
  const key = changes.signer ?? of.key
  const header = { typ: 'dpop+jwt', alg: 'ES256', jwk: key.jwk, ...changes.header }
  const claims = {
    jti: randomUUID(),
    htm: of.method,
    htu: of.url,
    iat: Math.floor(Date.now() / 1_000),
    ath: of.token === undefined ? undefined : createHash('sha256').update(of.token).digest('base64url'),
    nonce: of.nonce,
    ...changes.claims,
  }
  return makeJws(header, claims, key.privateKey)
}

/** A name may occur more than once. */
export type HeaderList = [name: string, value: string][]

export async function send(
  url: string,
  method: string,
  headers: HeaderList = [],
  body?: string | Buffer,
): Promise<ApiResponse> {
  const response = await request(url, {
    method: method as 'GET',
    headers: headers.flat(),
    ...(body === undefined ? {} : { body }),
    headersTimeout: 60_000,
  })
  const text = await response.body.text()
  const received = new Headers()
  for (const [name, values] of Object.entries(response.headers))
    for (const value of [values ?? []].flat()) received.append(name, value)
  const isJson = received.get('content-type')?.includes('json') === true
  return { status: response.statusCode, headers: received, body: isJson && text !== '' ? JSON.parse(text) : { text } }
}

export type Sending = ProofChanges & {
  body?: unknown
  headers?: HeaderList
  /** null: no token is sent. */
  token?: string | null
  proof?: string | null
  nonce?: string | null
  /** The address of another replica, in place of the stack's own. */
  at?: string
  scheme?: string
}

export type Sender = {
  key: Key
  token: string
  nonce: string
  proofFor(method: string, path: string, changes?: ProofChanges & { token?: string; nonce?: string | null }): string
  send: (method: string, path: string, sending?: Sending) => Promise<ApiResponse>
}

export type HandClient = Sender & {
  /** The `changes` apply to the proof of the request. */
  requestToken(
    changes?: ProofChanges & {
      form?: Record<string, string | undefined>
      assertion?: Members
      proof?: string | null
      headers?: HeaderList
      at?: string
    },
  ): Promise<ApiResponse>
}

/** The caller fills in the token and the nonce. */
export function createSender({ baseUrl }: Pick<Stack, 'baseUrl'>, key: Key = createKey()): Sender {
  const sender: Sender = {
    key,
    token: '',
    nonce: '',
    proofFor: (method, path, { token = sender.token, nonce, ...changes } = {}) =>
      makeProof(
        {
          key,
          method,
          url: (baseUrl + path).replace(/[?#].*$/, ''),
          token,
          nonce: nonce === null ? undefined : (nonce ?? sender.nonce),
        },
        changes,
      ),
    send: async (
      method,
      path,
      { body, headers = [], token = sender.token, proof, nonce, at = baseUrl, scheme = 'DPoP', ...changes } = {},
    ) => {
      const list: HeaderList = [...headers]
      const made =
        proof === undefined
          ? sender.proofFor(method, path, { ...changes, token: token ?? '', ...(nonce === undefined ? {} : { nonce }) })
          : proof
      if (token !== null) list.push(['authorization', `${scheme} ${token}`])
      if (made !== null) list.push(['dpop', made])
      const isText = body === undefined || typeof body === 'string' || Buffer.isBuffer(body)
      if (body !== undefined && !headers.some(([name]) => name.toLowerCase() === 'content-type'))
        list.push(['content-type', 'application/json'])
      const response = await send(at + path, method, list, isText ? body : JSON.stringify(body))
      const fresh = response.headers.get('dpop-nonce')
      if (fresh && at === baseUrl) sender.nonce = fresh
      return response
    },
  }
  return sender
}

/** A token is valid for five minutes. */
const renewAfterMs = 200_000

/**
 * Creates a client of the stack, with a token for its own key and a current nonce. The client renews its token in time,
 * unless a request has a token or a proof of its own.
 */
export async function createHandClient(stack: Stack, clientId: string, scope?: string): Promise<HandClient> {
  const seeded = stack.clients.find(({ client_id }) => client_id === clientId)
  if (seeded?.profile !== 'service') throw new Error(`the stack has no service account ${clientId}`)
  const jwk = JSON.parse(await readFile(seeded.private_key_file, 'utf8'))
  const clientKey = createPrivateKey({ key: jwk, format: 'jwk' })
  const tokenUrl = `${stack.baseUrl}/oauth/token`
  let tokenNonce: string | undefined
  const sender = createSender(stack)

  const requestToken: HandClient['requestToken'] = async ({
    form,
    assertion,
    proof,
    headers = [],
    at = stack.baseUrl,
    ...changes
  } = {}) => {
    const now = Math.floor(Date.now() / 1_000)
    const claims = { iss: clientId, sub: clientId, aud: stack.baseUrl, jti: randomUUID(), iat: now, exp: now + 60 }
    const parameters = {
      grant_type: 'client_credentials',
      client_id: clientId,
      scope,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: makeJws({ alg: 'ES256', kid: jwk.kid }, { ...claims, ...assertion }, clientKey),
      ...form,
    }
    const entries = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined)
    const made =
      proof === undefined
        ? makeProof({ key: sender.key, method: 'POST', url: tokenUrl, nonce: tokenNonce }, changes)
        : proof
    const list: HeaderList = [['content-type', 'application/x-www-form-urlencoded'], ...headers]
    if (made !== null) list.push(['dpop', made])
    const response = await send(`${at}/oauth/token`, 'POST', list, new URLSearchParams(entries).toString())
    tokenNonce = response.headers.get('dpop-nonce') ?? tokenNonce
    return response
  }
  let issued = { token: '', at: 0 }
  const renew = async () => {
    let { status, body } = await requestToken()
    if (body['error'] === 'use_dpop_nonce') ({ status, body } = await requestToken())
    if (status === 200) {
      issued = { token: body['access_token'], at: performance.now() }
      sender.token = issued.token
    }
    return { status, body }
  }
  const sendWith = sender.send
  // `sender` and `client` are the same object, so `send` uses the current token.
  const client: HandClient = Object.assign(sender, {
    requestToken,
    send: async (method: string, path: string, sending: Sending = {}) => {
      const isOwn = sending.token === undefined && typeof sending.proof !== 'string' && sender.token === issued.token
      if (isOwn && performance.now() - issued.at > renewAfterMs) await renew()
      return sendWith(method, path, sending)
    },
  })
  const { status, body } = await renew()
  if (status !== 200) throw new Error(`no token: ${status} ${JSON.stringify(body)}`)
  await client.send('GET', '/v1/operations', { token: null, proof: null })
  return client
}
