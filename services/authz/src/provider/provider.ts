/**
 * The library with our hooks: checks before it, corrections after it, and the audit before any answer leaves.
 *
 * Invariant: a token or code is sent only after the audit has its entry. No log line contains data that a client sent.
 */

import type { EventEmitter } from 'node:events'
import { oauthRetryAfterS, oauthUnavailable } from '@financial-agents/pages/tunnel/oauth-unavailable'
import type { Log } from '@financial-agents/runtime/log'
import { Unavailable } from '@financial-agents/runtime/unavailable'
import { type errors, type KoaContextWithOIDC, Provider } from 'oidc-provider'
import { noteToken } from '../measure.ts'
import type { AuditEntry } from '../store/audit.ts'
import { authorized, denied, tokenIssued } from './audit-entries.ts'
import { type BeforeAnswer, createBeforeAnswer } from './before-answer.ts'
import { claimReplays } from './claim-replays.ts'
import { type ConfigurationDependencies, createConfiguration } from './configuration.ts'
import { correctError } from './correct-error.ts'
import { completeDeviceAnswer } from './device-flow.ts'
import { keepClients } from './kept-clients.ts'
import type { KeysAtAddress } from './keys-at-address.ts'
import { pushedRequestTtlS } from './lifetimes.ts'
import {
  authorizationEndpoint,
  checkProofFirst,
  deviceEndpoint,
  isAuthorization,
  isDevice,
  type Middleware,
  narrowAnswers,
} from './middleware.ts'
import { correctParameters } from './read-parameters.ts'
import { type AnsweredRequests, repeatAnswers } from './repeat-answers.ts'
import type { Frame } from './show.ts'
import { showError } from './show-error.ts'
import { tellEndsOnceKnown } from './tell-ends.ts'

export type ProviderDependencies = Omit<ConfigurationDependencies, 'deviceDeclined'> & {
  log: Log
  keysAt: KeysAtAddress
  audit: (entry: AuditEntry) => Promise<void>
  /** @throws Error if the grant of an authorization ended meanwhile */
  holdGrant: (grantId: string) => Promise<void>
  /** Tells if the ends and suspensions of a client's grants are in force. */
  endsAreKnown: (clientId: string) => Promise<boolean>
}

/** Requests that failed because a part was out of reach, while the library reported an error of its own. */
type OutOfReach = WeakSet<KoaContextWithOIDC>

export function createProvider(dependencies: ProviderDependencies): Provider {
  const { baseUrl, clock } = dependencies
  const before = createBeforeAnswer()
  const outOfReach: OutOfReach = new WeakSet()
  const answered: AnsweredRequests = new WeakMap()
  const deviceDeclined = (ctx: KoaContextWithOIDC) => before.begin(ctx, dependencies.audit(denied(ctx, clock.now())))
  const provider = new Provider(baseUrl, createConfiguration({ ...dependencies, deviceDeclined }))
  keepClients(provider, dependencies.adapter('Client'), dependencies.keysAt)
  claimReplays(provider, dependencies.adapter('ReplayDetection'))
  correctParameters(provider)
  // The requested host has already been overwritten, so addresses come from the issuer.
  provider.proxy = true
  listen(provider, dependencies, before, outOfReach, answered)
  const surrounding = [
    repeatAnswers(dependencies, answered),
    withholdUnaudited(dependencies, before, outOfReach),
    tellEndsOnceKnown(dependencies.endsAreKnown),
    checkProofFirst(clock),
    authorizationEndpoint(),
    deviceEndpoint(baseUrl, dependencies),
    narrowAnswers(baseUrl),
  ]
  for (const middleware of surrounding) provider.use(middleware as Parameters<typeof provider.use>[0])
  return provider
}

function listen(
  provider: Provider,
  dependencies: ProviderDependencies,
  before: BeforeAnswer,
  outOfReach: OutOfReach,
  answered: AnsweredRequests,
): void {
  const { clock, log, audit } = dependencies
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
    if (error.error !== 'access_denied') return
    answered.set(ctx, {})
    before.begin(ctx, audit(denied(ctx, clock.now())))
  })
  provider.on('authorization.success', (ctx, answer) => {
    // The approval of a device was written together with its audit entry (`adapters/device-code.ts`).
    if (ctx.oidc.entities.DeviceCode) return
    answered.set(ctx, { code: (answer as { code?: string } | undefined)?.code })
    const entry = authorized(ctx, clock.now())
    before.begin(ctx, entry.grant_id ? dependencies.holdGrant(entry.grant_id).then(() => audit(entry)) : audit(entry))
  })
  provider.on('grant.success', (ctx) => {
    noteToken(ctx.oidc.params?.['grant_type'])
    before.begin(ctx, audit(tokenIssued(ctx, clock.now())))
    tellOpenid(ctx)
  })
  provider.on('pushed_authorization_request.success', (ctx) => {
    ctx.body = { ...(ctx.body as object), expires_in: pushedRequestTtlS }
  })
  provider.on('device_authorization.success', completeDeviceAnswer)
}

/**
 * The scope of the answer is everything that was granted (RFC 6749, 5.1). The scope of the access token contains only
 * the resource's scopes.
 */
function tellOpenid(ctx: KoaContextWithOIDC): void {
  const body = ctx.body as { id_token?: string; scope?: string }
  if (body.id_token !== undefined) ctx.body = { ...body, scope: `openid ${body.scope ?? ''}`.trim() }
}

/** The outermost step: an answer is sent after the work that must precede it, or not at all. */
function withholdUnaudited(
  dependencies: ProviderDependencies,
  before: BeforeAnswer,
  outOfReach: OutOfReach,
): Middleware {
  return async (ctx, next) => {
    await next()
    try {
      await before.settled(ctx)
      if (outOfReach.has(ctx)) await answerUnavailable(ctx, dependencies)
    } catch (error) {
      dependencies.log.error({ err: error }, 'an answer was withheld: what had to come before it failed')
      await answerUnavailable(ctx, dependencies)
    }
    if (ctx.status === 503) ctx.set('retry-after', String(oauthRetryAfterS))
  }
}

async function answerUnavailable(ctx: KoaContextWithOIDC, frame: Frame): Promise<void> {
  ctx.remove('location')
  ctx.status = 503
  ctx.body = oauthUnavailable
  if (isAuthorization(ctx.path) || isDevice(ctx.path)) await showError(ctx, oauthUnavailable, frame)
}

/** Logs only text that the library itself wrote. The message of a cause may quote the assertion or the proof. */
function logRefusal(log: Log, ctx: KoaContextWithOIDC, error: errors.OIDCProviderError): void {
  const why = error.cause === undefined ? error.error_detail : undefined
  log.info(
    { client_id: ctx.oidc.client?.clientId, route: ctx.oidc.route, error: error.error, why },
    'a request was refused',
  )
}
