/**
 * The server over streamable HTTP, for one owner: on the loopback interface, or behind the owner's own proxy. Whoever may call it may pay, so
 * every request needs a bearer token: the secret that the owner has set, or a token that the owner's authorization server made for this
 * server and the owner.
 */

import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer as createListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type NodeIncomingMessageLike, toNodeHandler } from '@modelcontextprotocol/node'
import {
  type AuthMetadataOptions,
  createMcpHandler,
  getOAuthProtectedResourceMetadataUrl,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  OAuthError,
  OAuthErrorCode,
  type OAuthMetadata,
  type OAuthTokenVerifier,
  oauthMetadataResponse,
  originValidationResponse,
  requireBearerAuth,
} from '@modelcontextprotocol/server'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { dependenciesOf, type ServeOptions } from './serve-stdio.ts'
import { createServer } from './server.ts'

/** The secret that the owner has set, or the owner's authorization server. */
export type HttpAccess =
  | { secret: string }
  | {
      /** The issuer of JWT access tokens, with a metadata document (RFC 8414). */
      issuer: string
      /** The owner: `sub` of the tokens. Those of others are refused. */
      subject: string
      /** The public address of this server, `https://…/mcp`: `aud` of the tokens. */
      resource: string
    }

export type HttpOptions = ServeOptions & { port: number; access: HttpAccess }

const path = '/mcp'
const shortestSecret = 32

/**
 * Serves until it is closed. `url` is its address on this machine.
 *
 * @throws Error that says which option is wrong; nothing has been served then
 */
export async function serveHttp({
  port,
  access,
  ...options
}: HttpOptions): Promise<{ url: string; close: () => Promise<void> }> {
  const dependencies = dependenciesOf(options)
  const { authorize, hostname, discover } = await gateOf(access)
  const hostnames = [...localhostAllowedHostnames(), ...(hostname === undefined ? [] : [hostname])]
  const mcp = createMcpHandler(() => createServer(dependencies))
  const fetch = async (request: Request): Promise<Response> => {
    const refused = hostHeaderValidationResponse(request, hostnames) ?? originValidationResponse(request, hostnames)
    if (refused) return refused
    const discovered = discover(request)
    if (discovered) return discovered
    if (new URL(request.url).pathname !== path) return new Response(null, { status: 404 })
    const authInfo = await authorize(request)
    return authInfo instanceof Response ? authInfo : mcp.fetch(request, { authInfo })
  }
  const handle = toNodeHandler({ fetch })
  const listener = createListener((request, response) => void handle(request as NodeIncomingMessageLike, response))
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject)
    listener.listen(port, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}${path}`,
    close: async () => {
      listener.closeAllConnections()
      await new Promise((resolve) => listener.close(resolve))
    },
  }
}

async function gateOf(access: HttpAccess) {
  if ('secret' in access) {
    if (access.secret.length < shortestSecret)
      throw new Error(
        `The secret has at least ${shortestSecret} characters, for example those of: openssl rand -hex 32`,
      )
    return { authorize: requireBearerAuth({ verifier: verifierOfSecret(access.secret) }), discover: () => undefined }
  }
  const { resource } = access
  const resourceServerUrl = new URL(resource)
  const oauthMetadata = await metadataOf(access.issuer)
  const documents: AuthMetadataOptions = { oauthMetadata, resourceServerUrl, resourceName: 'Financial Agents' }
  return {
    authorize: requireBearerAuth({
      verifier: verifierOfIssuer(access, oauthMetadata),
      resourceMetadataUrl: getOAuthProtectedResourceMetadataUrl(resourceServerUrl),
    }),
    discover: (request: Request) => oauthMetadataResponse(request, documents),
    hostname: resourceServerUrl.hostname,
  }
}

const digest = (text: string) => createHash('sha256').update(text).digest()
const invalid = () => new OAuthError(OAuthErrorCode.InvalidToken, 'This server does not accept this token.')

function verifierOfSecret(secret: string): OAuthTokenVerifier {
  const expected = digest(secret)
  return {
    verifyAccessToken: async (token) => {
      if (!timingSafeEqual(digest(token), expected)) throw invalid()
      // The SDK refuses a token without an end.
      return { token, clientId: 'owner', scopes: [], expiresAt: Math.floor(Date.now() / 1_000) + 60 }
    },
  }
}

type Issued = Extract<HttpAccess, { issuer: string }>

function verifierOfIssuer({ issuer, subject, resource }: Issued, { jwks_uri }: OAuthMetadata): OAuthTokenVerifier {
  if (typeof jwks_uri !== 'string') throw new Error(`${issuer} publishes no jwks_uri.`)
  const keys = createRemoteJWKSet(new URL(jwks_uri))
  return {
    verifyAccessToken: async (token) => {
      const { payload } = await jwtVerify(token, keys, {
        issuer,
        subject,
        audience: resource,
        requiredClaims: ['exp'],
      }).catch(() => {
        throw invalid()
      })
      const { client_id: clientId, exp } = payload
      return {
        token,
        clientId: typeof clientId === 'string' ? clientId : '',
        scopes: [],
        ...(exp !== undefined && { expiresAt: exp }),
      }
    },
  }
}

async function metadataOf(issuer: string): Promise<OAuthMetadata> {
  const { origin, pathname } = new URL(issuer)
  const address = `${origin}/.well-known/oauth-authorization-server${pathname === '/' ? '' : pathname}`
  const response = await fetch(address).catch(() => undefined)
  const metadata = response?.ok ? ((await response.json()) as OAuthMetadata) : undefined
  if (metadata?.issuer !== issuer) throw new Error(`${address} is not the metadata of ${issuer}.`)
  return metadata
}
