/**
 * A provider that demands authentication: a front before the fake provider. Its parts are not ours: oidc-provider issues the tokens, jose validates
 * the proofs, http-message-signatures the signatures, and Node the certificates.
 */

import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { createServer as createPlainServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createVerifier, httpbis } from 'http-message-signatures'
import { calculateJwkThumbprint, decodeProtectedHeader, importJWK, type JWK, jwtVerify } from 'jose'
import { Provider } from 'oidc-provider'
import { generate } from 'selfsigned'

export type Demands = { readonly tls?: boolean; readonly token?: boolean; readonly signature?: boolean }

export type Demanding = {
  readonly url: string
  /** The variables of the client, under the names of the adapter's variables. */
  readonly variables: Readonly<Record<string, string>>
  /** For each refused request, the reason of the refusal. */
  readonly refused: readonly string[]
  /** Counts the requests that gave every demanded proof. */
  readonly countAdmitted: () => number
  readonly close: () => Promise<void>
}

const clientId = 'financial-agents'

/** Starts the front. @param target the fake provider */
export async function startDemanding(target: string, demands: Demands): Promise<Demanding> {
  const refused: string[] = []
  const used = new Set<string>()
  let admitted = 0
  const client = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const signer = generateKeyPairSync('ed25519')
  const tls = demands.tls ? await certificates() : undefined
  const issuer = demands.token ? await startIssuer(client.publicKey) : undefined

  const validate = async (request: IncomingMessage, body: Buffer): Promise<string | undefined> => {
    if (issuer) {
      const wrong = await findWrongToken(issuer.provider, request, `${url}${request.url?.split('?')[0] ?? ''}`, used)
      if (wrong !== undefined) return wrong
    }
    if (!demands.signature) return undefined
    const digest = request.headers['content-digest']
    if (body.length > 0 && digest !== `sha-256=:${createHash('sha256').update(body).digest('base64')}:`)
      return 'another body than the signed one'
    const verified = await httpbis
      .verifyMessage(
        {
          keyLookup: async ({ keyid }) =>
            keyid === 'signer' ? { id: keyid, verify: createVerifier(signer.publicKey, 'ed25519') } : null,
          requiredFields: ['@method', '@target-uri', ...(body.length > 0 ? ['content-digest'] : [])],
          requiredParams: ['created', 'expires', 'keyid', 'tag'],
        },
        { method: request.method ?? '', url: `${url}${request.url}`, headers: headersOf(request) },
      )
      .catch(() => false)
    return verified === true ? undefined : 'not signed'
  }

  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const body = Buffer.concat(parts)
    const wrong = await validate(request, body)
    if (wrong !== undefined) {
      refused.push(wrong)
      const headers = { 'content-type': 'application/json', 'www-authenticate': 'DPoP error="invalid_token"' }
      return void response.writeHead(401, headers).end(JSON.stringify({ error: { code: 'invalid_token' } }))
    }
    admitted += 1
    const answer = await fetch(new URL(request.url ?? '/', target), {
      method: request.method ?? 'GET',
      headers: { 'content-type': 'application/json', ...personOf(request, demands.token === true) },
      ...(request.method === 'POST' ? { body } : {}),
    })
    return void response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
  }
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    serve(request, response).catch(() => request.socket.destroy())
  }
  const server = tls
    ? createServer(
        {
          cert: tls.server.cert,
          key: tls.server.key,
          ca: tls.client.cert,
          requestCert: true,
          rejectUnauthorized: true,
        },
        handle,
      )
    : createPlainServer(handle)
  const url = `${tls ? 'https' : 'http'}://127.0.0.1:${await listen(server)}`
  return {
    url,
    refused,
    countAdmitted: () => admitted,
    variables: {
      ...(tls && { TLS_CERTIFICATE: tls.client.cert, TLS_KEY: tls.client.key, TLS_AUTHORITIES: tls.server.cert }),
      ...(issuer && {
        TOKEN_ISSUER: issuer.url,
        TOKEN_ENDPOINT: `${issuer.url}/token`,
        TOKEN_CLIENT_ID: clientId,
        TOKEN_CLIENT_KEY: pemOf(client.privateKey),
        TOKEN_CLIENT_KEY_ID: 'client-key',
      }),
      ...(demands.signature && { SIGNATURE_KEY: pemOf(signer.privateKey), SIGNATURE_KEY_ID: 'signer' }),
    },
    close: async () => {
      for (const each of [server, issuer?.server]) {
        each?.closeAllConnections()
        await new Promise((resolve) => (each ? each.close(resolve) : resolve(undefined)))
      }
    },
  }
}

const pemOf = (key: KeyObject) => String(key.export({ type: 'pkcs8', format: 'pem' }))

async function certificates() {
  const altNames = [{ type: 7 as const, ip: '127.0.0.1' }]
  const make = async (name: string) => {
    const extensions = [
      { name: 'basicConstraints' as const, cA: true },
      { name: 'subjectAltName' as const, altNames },
    ]
    const { cert, private: key } = await generate([{ name: 'commonName', value: name }], { extensions })
    return { cert, key }
  }
  return { server: await make('provider'), client: await make('financial-agents') }
}

/** An authorization server of the provider: client credentials with `private_key_jwt`, tokens bound by DPoP. */
async function startIssuer(key: KeyObject) {
  const server = createPlainServer()
  const url = `http://127.0.0.1:${await listen(server)}`
  const jwk = { ...key.export({ format: 'jwk' }), kid: 'client-key', alg: 'ES256', use: 'sig' } as JWK
  const provider = new Provider(url, {
    clients: [
      {
        client_id: clientId,
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
        token_endpoint_auth_method: 'private_key_jwt',
        token_endpoint_auth_signing_alg: 'ES256',
        jwks: { keys: [jwk] },
        dpop_bound_access_tokens: true,
        id_token_signed_response_alg: 'ES256',
      },
    ],
    jwks: {
      keys: [generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey.export({ format: 'jwk' })],
    },
    clientAuthMethods: ['private_key_jwt'],
    enabledJWA: { clientAuthSigningAlgValues: ['ES256'] },
    features: { clientCredentials: { enabled: true }, dPoP: { enabled: true }, devInteractions: { enabled: false } },
  })
  const answer = provider.callback()
  server.on('request', (request, response) => void answer(request, response))
  return { url, server, provider }
}

/** Returns the fault of a request's token or proof; undefined if there is none. */
async function findWrongToken(provider: Provider, request: IncomingMessage, address: string, used: Set<string>) {
  const [, token = ''] = /^DPoP (\S+)$/.exec(request.headers.authorization ?? '') ?? []
  const found = token === '' ? undefined : await provider.ClientCredentials.find(token)
  if (found === undefined || found.isExpired) return 'no token'
  try {
    const proof = String(request.headers['dpop'])
    const { jwk, typ } = decodeProtectedHeader(proof)
    if (typ !== 'dpop+jwt' || jwk === undefined) return 'no proof'
    const { payload } = await jwtVerify(proof, await importJWK(jwk, 'ES256'), { maxTokenAge: 60 })
    const isBound = (await calculateJwkThumbprint(jwk)) === (found as unknown as { jkt?: string }).jkt
    const isOfToken = payload['ath'] === createHash('sha256').update(token).digest('base64url')
    if (!isBound || !isOfToken) return 'a proof of another token'
    if (payload['htm'] !== request.method || payload['htu'] !== address) return 'a proof of another request'
    if (used.has(payload.jti ?? '')) return 'a proof that was used before'
    used.add(payload.jti ?? '')
    return undefined
  } catch {
    return 'a proof that is none'
  }
}

/** The headers by which the fake provider learns the person. */
function personOf(request: IncomingMessage, besideToken: boolean): Record<string, string> {
  const person = request.headers['financial-agents-person']
  if (besideToken) return typeof person === 'string' ? { authorization: `Bearer ${person}` } : {}
  const { authorization } = request.headers
  return authorization === undefined ? {} : { authorization }
}

function headersOf(request: IncomingMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
}

async function listen(server: Server | ReturnType<typeof createServer>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}
