/**
 * The baseline of the token endpoint: oidc-provider alone, in a process of its own, with its in-memory store and the
 * same features enabled. As a program it serves until it is killed.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import { Provider } from 'oidc-provider'

export type PlainProvider = { baseUrl: string; pid: number; stop: () => void }

/** The one client of the server. */
type ClientOfBench = { clientId: string; privateKeyFile: string; scope: string }

/** Starts the baseline on a free port. */
export async function startPlainProvider({ clientId, privateKeyFile, scope }: ClientOfBench): Promise<PlainProvider> {
  const given: ClientOfBench = { clientId, privateKeyFile, scope }
  const child = spawn(process.execPath, [import.meta.filename, JSON.stringify(given)], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const baseUrl = await firstLine(child)
  return { baseUrl, pid: child.pid as number, stop: () => child.kill('SIGKILL') }
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.stdout?.once('data', (data: Buffer) => resolve(data.toString().trim()))
    child.once('exit', (code) => reject(new Error(`the baseline provider ended with ${code}`)))
  })
}

if (import.meta.main) {
  const { clientId, privateKeyFile, scope } = JSON.parse(process.argv[2] ?? '{}') as ClientOfBench
  const { d: _private, ...publicJwk } = JSON.parse(readFileSync(privateKeyFile, 'utf8')) as JWK
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const signing = { ...(await exportJWK(privateKey)), kid: 'baseline', alg: 'ES256', use: 'sig' }
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('not listening')
  const baseUrl = `http://127.0.0.1:${address.port}`
  const provider = new Provider(baseUrl, {
    jwks: { keys: [signing] },
    routes: { token: '/oauth/token' },
    responseTypes: [],
    scopes: scope.split(' '),
    clientAuthMethods: ['private_key_jwt'],
    clients: [
      {
        client_id: clientId,
        grant_types: ['client_credentials'],
        response_types: [],
        redirect_uris: [],
        token_endpoint_auth_method: 'private_key_jwt',
        token_endpoint_auth_signing_alg: 'ES256',
        id_token_signed_response_alg: 'ES256',
        jwks: { keys: [publicJwk] },
      },
    ],
    enabledJWA: {
      clientAuthSigningAlgValues: ['ES256'],
      idTokenSigningAlgValues: ['ES256'],
      dPoPSigningAlgValues: ['ES256'],
    },
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      dPoP: { enabled: true, nonceSecret: randomBytes(32), requireNonce: () => true },
      fapi: { enabled: true, profile: '2.0' },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => baseUrl,
        getResourceServerInfo: (_ctx, audience) => ({
          scope,
          audience,
          accessTokenFormat: 'jwt',
          accessTokenTTL: 300,
          jwt: { sign: { alg: 'ES256' } },
        }),
      },
    },
  })
  const handle = provider.callback()
  server.on('request', (request, response) => void handle(request, response))
  process.stdout.write(`${baseUrl}\n`)
}
