/**
 * The library with our hooks around it: checks before it, corrections after it, the audit before anything leaves.
 *
 * Invariant: a token or code is only sent once the audit says so; no log line holds what a client sent.
 */

import type { EventEmitter } from 'node:events'
import type { Log } from '@financial-agents/runtime/log'
import { Unavailable } from '@financial-agents/runtime/unavailable'
import { type errors, type KoaContextWithOIDC, Provider } from 'oidc-provider'
import { noteToken } from '../measure.ts'
import type { AuditEntry } from '../store/audit.ts'
import { temporarilyUnavailable } from './adapters/guarded.ts'
import { authorized, denied, tokenIssued } from './audit-entries.ts'
import { type BeforeAnswer, createBeforeAnswer } from './before-answer.ts'
import { type ConfigurationParts, createConfiguration } from './configuration.ts'
import { correctError } from './correct-error.ts'
import { tellInterval } from './device-flow.ts'
import { keepClients } from './kept-clients.ts'
import { pushedRequestTtlS } from './lifetimes.ts'
import { acceptMaxAgeAlone } from './max-age.ts'
import {
  authorizationEndpoint,
  checkProofFirst,
  deviceEndpoint,
  isAuthorization,
  isDevice,
  type Middleware,
  narrowAnswers,
} from './middleware.ts'
import { showError } from './show-error.ts'
import { tellEndsOnceKnown } from './tell-ends.ts'

export type ProviderParts = Omit<ConfigurationParts, 'deviceDeclined'> & {
  log: Log
  audit: (entry: AuditEntry) => Promise<void>
  /** An authorization was given: its grant holds for a full term from now. @throws where it ended meanwhile */
  extendGrant: (grantId: string) => Promise<void>
  /** Whether it may be told of all grants of a client that were revoked. */
  revocationsAreKnown: (clientId: string) => Promise<boolean>
}

/** Requests that the library took for a failure of its own, while a part was out of reach. */
type OutOfReach = WeakSet<KoaContextWithOIDC>

export function createProvider(parts: ProviderParts): Provider {
  const { baseUrl, clock, environment } = parts
  const before = createBeforeAnswer()
  const outOfReach: OutOfReach = new WeakSet()
  const deviceDeclined = (ctx: KoaContextWithOIDC) => before.begin(ctx, parts.audit(denied(ctx, clock.now())))
  const provider = new Provider(baseUrl, createConfiguration({ ...parts, deviceDeclined }))
  keepClients(provider, parts.adapter('Client'))
  acceptMaxAgeAlone(provider)
  // The host that was asked is overwritten before a request gets here, so that addresses come from the issuer.
  provider.proxy = true
  listen(provider, parts, before, outOfReach)
  const surrounding = [
    withholdUnaudited(parts, before, outOfReach),
    tellEndsOnceKnown(parts.revocationsAreKnown),
    checkProofFirst(clock),
    authorizationEndpoint(),
    deviceEndpoint(baseUrl, environment),
    narrowAnswers(baseUrl),
  ]
  for (const middleware of surrounding) provider.use(middleware as Parameters<typeof provider.use>[0])
  return provider
}

function listen(provider: Provider, parts: ProviderParts, before: BeforeAnswer, outOfReach: OutOfReach): void {
  const { clock, log, audit } = parts
  const koa: EventEmitter = provider
  koa.on('error', (error: unknown) => log.error({ err: error }, 'the authorization server failed'))
  provider.on('server_error', (ctx, error) => {
    log.error({ err: error }, 'the authorization server failed')
    if (error instanceof Unavailable) outOfReach.add(ctx)
  })
  for (const endpoint of ['grant', 'pushed_authorization_request', 'device_authorization', 'revocation'] as const)
    koa.on(`${endpoint}.error`, (ctx: KoaContextWithOIDC, error: errors.OIDCProviderError) => {
      logRefusal(log, ctx, error)
      correctError(ctx, error)
    })
  provider.on('authorization.error', (ctx, error) => {
    logRefusal(log, ctx, error)
    if (error.error === 'access_denied') before.begin(ctx, audit(denied(ctx, clock.now())))
  })
  provider.on('authorization.success', (ctx) => {
    const entry = authorized(ctx, clock.now())
    before.begin(ctx, entry.grant_id ? parts.extendGrant(entry.grant_id).then(() => audit(entry)) : audit(entry))
  })
  provider.on('grant.success', (ctx) => {
    noteToken(ctx.oidc.params?.['grant_type'])
    before.begin(ctx, audit(tokenIssued(ctx, clock.now())))
    tellOpenid(ctx)
  })
  provider.on('pushed_authorization_request.success', (ctx) => {
    ctx.body = { ...(ctx.body as object), expires_in: pushedRequestTtlS }
  })
  provider.on('device_authorization.success', tellInterval)
}

/** The scope of the answer is all that was granted (RFC 6749, 5.1); that of the access token is the resource's alone. */
function tellOpenid(ctx: KoaContextWithOIDC): void {
  const body = ctx.body as { id_token?: string; scope?: string }
  if (body.id_token !== undefined) ctx.body = { ...body, scope: `openid ${body.scope ?? ''}`.trim() }
}

/** Outermost: whatever the endpoint answered is sent after what had to come first, or not at all. */
function withholdUnaudited(
  { log, environment }: ProviderParts,
  before: BeforeAnswer,
  outOfReach: OutOfReach,
): Middleware {
  return async (ctx, next) => {
    await next()
    if (outOfReach.has(ctx)) return answerUnavailable(ctx, environment)
    try {
      await before.settled(ctx)
    } catch (error) {
      log.error({ err: error }, 'an answer was withheld: what had to come before it failed')
      answerUnavailable(ctx, environment)
    }
  }
}

function answerUnavailable(ctx: KoaContextWithOIDC, environment: ProviderParts['environment']): void {
  const { message, status } = temporarilyUnavailable()
  ctx.remove('location')
  ctx.status = status
  ctx.body = { error: message }
  if (isAuthorization(ctx.path) || isDevice(ctx.path)) showError(ctx, { error: message }, environment)
}

/** Only what the library wrote itself: the message of a cause may quote the assertion or the proof. */
function logRefusal(log: Log, ctx: KoaContextWithOIDC, error: errors.OIDCProviderError): void {
  const why = error.cause === undefined ? error.error_detail : undefined
  log.info(
    { client_id: ctx.oidc.client?.clientId, route: ctx.oidc.route, error: error.error, why },
    'a request was refused',
  )
}
