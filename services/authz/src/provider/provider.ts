/**
 * The library with our hooks around it: the proof before everything, metadata narrowed, the audit before the token leaves.
 *
 * Invariant: a token is only sent once the audit says so; no log line holds what a client sent.
 */

import type { EventEmitter } from 'node:events'
import type { Clock } from '@financial-agents/runtime/clock'
import { currentContext } from '@financial-agents/runtime/context'
import type { Log } from '@financial-agents/runtime/log'
import { type errors, type KoaContextWithOIDC, Provider } from 'oidc-provider'
import type { AuditEntry } from '../store/audit.ts'
import { temporarilyUnavailable } from './adapter.ts'
import { isReplayedProof, judgeProof, replayedProof } from './check-proof.ts'
import { type ConfigurationParts, createConfiguration } from './configuration.ts'
import { narrowMetadata } from './metadata.ts'
import { paths } from './paths.ts'
import { findServiceGrant } from './service-account.ts'

export type ProviderParts = ConfigurationParts & {
  clock: Clock
  log: Log
  audit: (entry: AuditEntry) => Promise<void>
}

const discoveryPaths: ReadonlySet<string> = new Set([paths.openidConfiguration, paths.authorizationServer])

export function createProvider(parts: ProviderParts): Provider {
  const { baseUrl, clock, log } = parts
  const provider = new Provider(baseUrl, createConfiguration(parts))
  // The host that was asked is overwritten before a request gets here, so that addresses come from the issuer.
  provider.proxy = true
  const koa: EventEmitter = provider
  koa.on('error', (error: unknown) => log.error({ err: error }, 'the authorization server failed'))
  provider.on('server_error', (_ctx, error) => log.error({ err: error }, 'the authorization server failed'))
  provider.on('grant.error', (ctx, error) => {
    logRefusal(log, ctx, error)
    if (isReplayedProof(error)) ctx.body = replayedProof
  })
  const audited = new WeakMap<object, Promise<void>>()
  provider.on('grant.success', (ctx) => {
    const written = parts.audit(tokenIssued(ctx, clock.now()))
    written.catch(() => {})
    audited.set(ctx.req, written)
  })

  provider.use(async (ctx, next) => {
    const refusal = ctx.path === paths.token && ctx.method === 'POST' && judgeProof(ctx.get('dpop'), clock.nowMs())
    if (refusal) {
      ctx.status = 400
      ctx.set('cache-control', 'no-store')
      ctx.body = refusal
    } else {
      await next()
    }
  })
  provider.use(async (ctx, next) => {
    await next()
    if (ctx.status === 200 && discoveryPaths.has(ctx.path))
      ctx.body = narrowMetadata(ctx.body as Record<string, unknown>, baseUrl)
  })
  provider.use(async (ctx, next) => {
    await next()
    try {
      await audited.get(ctx.req)
    } catch (error) {
      log.error({ err: error }, 'a token was withheld: its audit could not be written')
      const { message, statusCode } = temporarilyUnavailable() as Error & { statusCode: number }
      ctx.status = statusCode
      ctx.body = { error: message }
    }
  })
  return provider
}

function tokenIssued(ctx: KoaContextWithOIDC, at: Date): AuditEntry {
  const { client } = ctx.oidc
  const { ClientCredentials: token } = ctx.oidc.entities
  if (!client || !token) throw new Error('a token was issued to nobody')
  return {
    at,
    event: 'token_issued',
    client_id: client.clientId,
    grant_id: findServiceGrant(client)?.grant_id ?? null,
    detail: {
      scope: token.scope,
      key_thumbprint: token.jkt,
      remote_address: ctx.ip,
      request_id: currentContext()?.requestId ?? null,
    },
  }
}

/** Only what the library wrote itself: the message of a cause may quote the assertion or the proof. */
function logRefusal(log: Log, ctx: KoaContextWithOIDC, error: errors.OIDCProviderError): void {
  const why = error.cause === undefined ? error.error_detail : undefined
  log.info({ client_id: ctx.oidc.client?.clientId, error: error.error, why }, 'a token was refused')
}
