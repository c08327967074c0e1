/**
 * For tests: an OpenID provider that is not ours (oidc-provider), with a page on which a person is chosen, and a browser at it. It can be
 * ordered to lie in an ID token or a response, and to be out of reach.
 */

import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type JWTPayload, SignJWT } from 'jose'
import { type Configuration, type KoaContextWithOIDC, Provider } from 'oidc-provider'

export type Customer = { readonly name?: string; readonly locale?: string; readonly zoneinfo?: string }

/**
 * Makes a false ID token from the claims of the true one. `sign` signs with the key of the issuer, or with another key.
 */
export type Lie = (
  claims: JWTPayload,
  sign: (payload: JWTPayload, changes?: { key?: KeyObject; header?: object }) => Promise<string>,
) => Promise<string>

export type TestIssuer = {
  readonly issuer: string
  /** The adapter's variables for this issuer (`private_key_jwt`). */
  readonly variables: Readonly<Record<string, string>>
  /** The secret of the second client, `by-secret`. */
  readonly secret: string
  /** The paths of the requests so far. */
  readonly asked: readonly string[]
  /** The behaviour that a test orders: the issuer lies in ID tokens, ends connections without an answer, or leaves them open without one. */
  order: { lie: Lie | undefined; isDown: boolean; isSilent: boolean }
  /** Returns the customer to whom this valid access token was given; undefined for any other text. */
  customerOf(accessToken: string): Promise<string | undefined>
  /** Opens an address as a new browser, chooses a person or goes back, and returns the address of the return to us. */
  visit(address: string, choice: string | null): Promise<URL>
  close(): Promise<void>
}

export type TestIssuerOptions = {
  readonly redirectUri: string
  readonly customers: Readonly<Record<string, Customer>>
  /** True: pushed authorization requests are offered and required. Otherwise they are not offered. */
  readonly pushed?: boolean
  readonly accessTokenSeconds?: number
}

const clientId = 'financial-agents'
const secret = 'a-secret-of-the-client-at-the-issuer'

export async function startTestIssuer(options: TestIssuerOptions): Promise<TestIssuer> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const keys = {
    client: generateKeyPairSync('ec', { namedCurve: 'prime256v1' }),
    issuer: generateKeyPairSync('ec', { namedCurve: 'prime256v1' }),
  }
  const order: TestIssuer['order'] = { lie: undefined, isDown: false, isSilent: false }
  const asked: string[] = []
  const provider = new Provider(issuer, configurationOf(options, keys))
  provider.use(async (ctx, next) => {
    await next()
    const body = ctx.body as { id_token?: string } | undefined
    if (order.lie === undefined || typeof body?.id_token !== 'string') return
    const claims = JSON.parse(Buffer.from(body.id_token.split('.')[1] ?? '', 'base64url').toString()) as JWTPayload
    const sign: Parameters<Lie>[1] = (payload, { key = keys.issuer.privateKey, header = {} } = {}) =>
      new SignJWT(payload).setProtectedHeader({ alg: 'ES256', ...header }).sign(key)
    ctx.body = { ...body, id_token: await order.lie(claims, sign) }
  })
  const handle = provider.callback()
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (order.isDown) return void request.socket.destroy()
    if (order.isSilent) return
    asked.push((request.url ?? '').split('?')[0] ?? '')
    if (request.url?.startsWith('/choose/'))
      return void choose(provider, options, request, response).catch(() => request.socket.destroy())
    void handle(request, response)
  })
  return {
    issuer,
    secret,
    asked,
    order,
    variables: {
      SIGN_IN_ISSUER: issuer,
      SIGN_IN_CLIENT_ID: clientId,
      SIGN_IN_CLIENT_KEY: String(keys.client.privateKey.export({ type: 'pkcs8', format: 'pem' })),
      SIGN_IN_CLIENT_KEY_ID: 'client-key',
    },
    customerOf: async (token) => {
      const found = await provider.AccessToken.find(token)
      return found === undefined || found.isExpired ? undefined : found.accountId
    },
    visit: (address, choice) => visit(issuer, address, choice),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function configurationOf(
  { redirectUri, customers, pushed = false, accessTokenSeconds = 300 }: TestIssuerOptions,
  keys: { client: { publicKey: KeyObject }; issuer: { privateKey: KeyObject } },
): Configuration {
  const client = {
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code' as const],
    id_token_signed_response_alg: 'ES256' as const,
  }
  const jwk = { ...keys.client.publicKey.export({ format: 'jwk' }), kid: 'client-key', alg: 'ES256', use: 'sig' }
  return {
    clients: [
      {
        ...client,
        client_id: clientId,
        token_endpoint_auth_method: 'private_key_jwt',
        token_endpoint_auth_signing_alg: 'ES256',
        jwks: { keys: [jwk] },
      },
      {
        ...client,
        client_id: 'by-secret',
        client_secret: secret,
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    jwks: {
      keys: [{ ...keys.issuer.privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig', kid: 'issuer-key' }],
    },
    clientAuthMethods: ['private_key_jwt', 'client_secret_post'],
    scopes: ['openid', 'profile', 'offline_access'],
    claims: { openid: ['sub', 'customer_number'], profile: ['name', 'locale', 'zoneinfo'] },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    cookies: { keys: ['a-key-of-the-cookies-of-a-test'] },
    ttl: {
      AccessToken: accessTokenSeconds,
      AuthorizationCode: 60,
      Grant: 600,
      IdToken: 300,
      Interaction: 600,
      RefreshToken: 600,
      Session: 600,
    },
    rotateRefreshToken: false,
    features: {
      devInteractions: { enabled: false },
      pushedAuthorizationRequests: { enabled: pushed, requirePushedAuthorizationRequests: pushed },
    },
    interactions: { url: (_ctx, { uid }) => `/choose/${uid}` },
    loadExistingGrant: grantWhatIsAsked,
    findAccount: (_ctx, subject) => {
      const person = customers[subject]
      if (person === undefined) return undefined
      return { accountId: subject, claims: async () => ({ sub: subject, customer_number: `no-${subject}`, ...person }) }
    },
  }
}

async function grantWhatIsAsked(ctx: KoaContextWithOIDC) {
  const { client, session, provider, requestParamOIDCScopes } = ctx.oidc
  if (!client || !session?.accountId) return undefined
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
  grant.addOIDCScope([...requestParamOIDCScopes].join(' '))
  await grant.save()
  return grant
}

/** The page on which a person is chosen: a form, and its answer. */
async function choose(
  provider: Provider,
  { customers }: TestIssuerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method === 'GET') {
    const people = Object.keys(customers).map((name) => `<option>${name}</option>`)
    const form = `<form method="post"><select name="test_user">${people.join('')}</select>
<button name="decision" value="approve">Approve</button><button name="decision" value="decline">Decline</button></form>`
    return void response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>The bank</title>${form}`)
  }
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const form = new URLSearchParams(Buffer.concat(parts).toString())
  const person = form.get('decision') === 'approve' ? form.get('test_user') : null
  const result =
    person === null
      ? { error: 'access_denied', error_description: 'the person went back' }
      : { login: { accountId: person, remember: false }, consent: {} }
  const next = await provider.interactionResult(request, response, result, { mergeWithLastSubmission: false })
  response.writeHead(303, { location: next }).end()
}

async function visit(issuer: string, address: string, choice: string | null): Promise<URL> {
  const jar = new Map<string, string>()
  const open = async (url: URL, form?: Record<string, string>) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const body = form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie }, ...body })
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      jar.set(name, value)
    }
    return answer
  }
  let url = new URL(address)
  while (url.origin === issuer) {
    const page = await open(url)
    const form = choice === null ? { decision: 'decline' } : { decision: 'approve', test_user: choice }
    const answer = page.status === 200 && url.pathname.startsWith('/choose/') ? await open(url, form) : page
    const location = answer.headers.get('location')
    if (location === null) throw new Error(`the issuer answered ${answer.status}: ${await answer.text()}`)
    url = new URL(location, url)
  }
  return url
}
