/**
 * The connection to the OpenID provider: its metadata, read once an hour, and the client at it. The library is loaded when it is first
 * needed, because most processes of an adapter sign nobody in.
 *
 * Invariant: every request ends with the time of its call, and no answer is longer than a mebibyte.
 */

import { AsyncLocalStorage } from 'node:async_hooks'
import { webcrypto } from 'node:crypto'
import type * as Openid from 'openid-client'
import { Agent, fetch as undiciFetch } from 'undici'
import type { OpenidOptions } from './variables.ts'

/** The metadata of the issuer cannot be had, or is not the issuer's. */
export class IssuerUnknown extends Error {
  override readonly name = 'IssuerUnknown'
}

export type Issuer = {
  /** Runs the call with the client, within the time. @throws what the library and the network throw */
  use<Answer>(
    timeoutMs: number,
    run: (client: Openid.Configuration, openid: typeof Openid) => Promise<Answer>,
  ): Promise<Answer>
  close(): Promise<void>
}

const metadataMs = 3_600_000
const maxResponseBytes = 1024 * 1024

export function createIssuer(options: OpenidOptions): Issuer {
  const agent = new Agent({ connect: { ...options.tls }, maxResponseSize: maxResponseBytes })
  const times = new AsyncLocalStorage<AbortSignal>()
  const fetchInTime = (url: string, init: object & { signal?: AbortSignal | undefined }) => {
    const signals = [init.signal, times.getStore()].filter((signal) => signal !== undefined)
    return undiciFetch(url, { ...init, signal: AbortSignal.any(signals), dispatcher: agent })
  }
  let kept: { client: Promise<Openid.Configuration>; untilMs: number } | undefined
  const clientOf = (openid: typeof Openid) => {
    if (kept !== undefined && kept.untilMs > performance.now()) return kept.client
    const client = discover(openid, options, fetchInTime)
    const made = { client, untilMs: performance.now() + metadataMs }
    kept = made
    client.catch(() => {
      if (kept === made) kept = undefined
    })
    return client
  }
  return {
    use: (timeoutMs, run) =>
      times.run(AbortSignal.timeout(timeoutMs), async () => {
        const openid = await import('openid-client')
        const client = await clientOf(openid).catch((cause: unknown) => {
          throw new IssuerUnknown('the metadata of the issuer cannot be had', { cause })
        })
        return run(client, openid)
      }),
    close: () => agent.close(),
  }
}

async function discover(
  openid: typeof Openid,
  options: OpenidOptions,
  fetchInTime: Openid.CustomFetch,
): Promise<Openid.Configuration> {
  const issuer = new URL(options.issuer)
  const insecure = issuer.protocol === 'http:' ? [openid.allowInsecureRequests] : []
  // The signature is checked although the ID token comes from the token endpoint. A component that terminates TLS could
  // otherwise forge a sign-in.
  const execute = [...insecure, openid.enableNonRepudiationChecks]
  const found = await openid.discovery(issuer, options.clientId, undefined, undefined, {
    execute,
    [openid.customFetch]: fetchInTime,
  })
  const metadata = found.serverMetadata()
  const client = new openid.Configuration(
    metadata,
    options.clientId,
    undefined,
    await authenticationOf(openid, options, metadata),
  )
  client[openid.customFetch] = fetchInTime
  for (const extend of execute) extend(client)
  return client
}

async function authenticationOf(
  openid: typeof Openid,
  { client }: OpenidOptions,
  metadata: Openid.ServerMetadata,
): Promise<Openid.ClientAuth> {
  if ('key' in client) {
    const jwk = client.key.export({ format: 'jwk' })
    const key = await webcrypto.subtle.importKey('jwk', jwk, { name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign'])
    return openid.PrivateKeyJwt({ key, kid: client.keyId })
  }
  // The secret is sent in the body, unless the issuer takes it in the header alone.
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  return methods.includes('client_secret_post')
    ? openid.ClientSecretPost(client.secret)
    : openid.ClientSecretBasic(client.secret)
}
