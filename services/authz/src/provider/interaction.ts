/**
 * The parts of an authorization that its pages need, and the ways to continue it. A page under `/interaction/{uid}`
 * finds the interaction by the browser's cookie, never by the address alone.
 *
 * Invariant: only the browser that signed in continues with that sign-in, by the session that it got there. Another
 * browser that knows the interaction cannot. The session belongs to the person who signed in last.
 */

import type { FastifyReply, FastifyRequest } from 'fastify'
import { errors, type InteractionResults, type Provider } from 'oidc-provider'
import type { BrowserSessions } from '../browser/browser-session.ts'
import { type SignedIn } from '../browser/browser-session.ts'
import { acr } from './acr.ts'

export type OwnerInteraction = {
  uid: string
  clientId: string
  /** The time from which it waits. */
  since: Date
  /** The step that it waits for: a sign-in or consent. */
  prompt: 'login' | 'consent'
  /**
   * The reasons for the step: `no_session`, `login_prompt`, `max_age`, `max_age_alone`, `grant_suspended`;
   * `consent_prompt`, `op_scopes_missing`, `rs_scopes_missing`, `device`.
   */
  reasons: readonly string[]
  /** Every scope that the client requests, except openid. */
  scopes: readonly string[]
  /** The scopes that the owner has not yet granted to the client; all of them if there is no grant to extend. */
  missingScopes: readonly string[]
  openid: boolean
  /** True if it began with a code shown on a device. */
  device: boolean
  /** The code of the device has expired, or was decided about: nothing can be allowed by it. */
  isCodeOver: boolean
  /** The address that receives the result; undefined for a device. */
  redirectUri: string | undefined
  /** The owner who is signed in in this browser, and the time of that sign-in; undefined if nobody is signed in. */
  owner: { ownerId: string; authenticatedAt: Date } | undefined
}

export type Interactions = {
  /** Returns undefined if the interaction is over or belongs to another browser. */
  findInteraction: (request: FastifyRequest, reply: FastifyReply) => Promise<OwnerInteraction | undefined>
  /** Returns the owner who is signed in in a session; undefined if it is over. */
  findOwnerOf: (sessionUid: string) => Promise<string | undefined>
  /**
   * Signs the owner in in this browser, continues the interaction, and redirects the browser (303).
   * @throws SessionNotFound if the interaction began under another browser's session
   */
  finishSignIn: (request: FastifyRequest, reply: FastifyReply, signedIn: SignedIn) => Promise<FastifyReply>
  /** Continues after `recordConsent`, and redirects the browser (303). */
  finishConsent: (request: FastifyRequest, reply: FastifyReply, grantId: string) => Promise<FastifyReply>
  /** Ends the interaction: the client receives `access_denied`. */
  denyInteraction: (request: FastifyRequest, reply: FastifyReply, description?: string) => Promise<FastifyReply>
  /** Ends or continues the interaction with any other result of the library. */
  finishInteraction: (
    request: FastifyRequest,
    reply: FastifyReply,
    result: InteractionResults,
    options?: { merge: boolean },
  ) => Promise<FastifyReply>
}

/** `provider` is called each time, because a change of the signing keys makes a new instance. */
export function createInteractions(provider: () => Provider, sessions: BrowserSessions): Interactions {
  const finishInteraction: Interactions['finishInteraction'] = async (request, reply, result, options) => {
    const returnTo = await provider().interactionResult(request.raw, reply.raw, result, {
      mergeWithLastSubmission: options?.merge ?? false,
    })
    return reply.header('cache-control', 'no-store').redirect(returnTo, 303)
  }
  return {
    finishInteraction,
    findInteraction: (request, reply) => findInteraction(provider(), request, reply),
    findOwnerOf: async (sessionUid) => (await provider().Session.findByUid(sessionUid))?.accountId,
    finishSignIn: async (request, reply, signedIn) => {
      await bindToSession(provider(), sessions, request, reply, signedIn)
      return finishInteraction(request, reply, { login: loginOf(signedIn) })
    },
    finishConsent: (request, reply, grantId) =>
      finishInteraction(request, reply, { consent: { grantId } }, { merge: true }),
    denyInteraction: (request, reply, description = 'the owner declined') =>
      finishInteraction(request, reply, { error: 'access_denied', error_description: description }),
  }
}

async function findInteraction(
  provider: Provider,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<OwnerInteraction | undefined> {
  const interaction = await provider.interactionDetails(request.raw, reply.raw).catch(noneWhereGone)
  if (!interaction) return undefined
  const { params, prompt, session: known } = interaction
  const session = known && (await provider.Session.findByUid(known.uid))
  const asked = typeof params['scope'] === 'string' ? params['scope'].split(' ') : []
  const missing = prompt.details['missingResourceScopes'] as Record<string, string[]> | undefined
  return {
    uid: interaction.uid,
    clientId: String(params['client_id']),
    since: new Date(interaction.iat * 1_000),
    prompt: prompt.name === 'login' ? 'login' : 'consent',
    reasons: prompt.reasons,
    scopes: asked.filter((scope) => scope !== 'openid'),
    missingScopes: Object.values(missing ?? {}).flat(),
    openid: asked.includes('openid'),
    device: interaction.deviceCode !== undefined,
    isCodeOver: interaction.deviceCode !== undefined && (await isOver(provider, interaction.deviceCode)),
    redirectUri: typeof params['redirect_uri'] === 'string' ? params['redirect_uri'] : undefined,
    owner: session?.accountId
      ? { ownerId: session.accountId, authenticatedAt: authenticationTime(interaction, session.loginTs) }
      : undefined,
  }
}

async function isOver({ DeviceCode }: Provider, id: string): Promise<boolean> {
  const code = await DeviceCode.find(id, { ignoreExpiration: true })
  return !code || code.isExpired || code.error !== undefined || code.accountId !== undefined
}

/**
 * The library stores the result of a sign-in with the interaction, for any browser that resumes it. It compares sessions only
 * if there was one at the start. This function therefore signs the browser in with a new session id, and continues the
 * interaction only under that session. If another person was signed in, the session itself is new: otherwise the library would
 * send a page that signs out by script.
 */
async function bindToSession(
  provider: Provider,
  sessions: BrowserSessions,
  request: FastifyRequest,
  reply: FastifyReply,
  signedIn: SignedIn,
): Promise<void> {
  const interaction = await provider.interactionDetails(request.raw, reply.raw)
  const before = await sessions.find(request)
  if (interaction.session && interaction.session.uid !== before?.uid)
    throw new errors.SessionNotFound('the interaction began under the session of another browser')
  const { uid, cookie } = await sessions.begin(request, reply, signedIn)
  interaction.session = { accountId: signedIn.ownerId, uid, cookie, acr }
  await interaction.persist()
}

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>

/** The session's cookie ends with the browser, and the session itself after an hour without use. */
function loginOf({ ownerId, authenticatedAt }: SignedIn) {
  const ms = authenticatedAt.getTime()
  return { accountId: ownerId, acr, ts: Math.floor(ms / 1_000), authenticated_at_ms: ms, remember: false }
}

/** Exact to the millisecond if the sign-in was part of this authorization. The session knows only seconds. */
function authenticationTime({ lastSubmission }: Interaction, loginTs = 0): Date {
  return new Date(Number(lastSubmission?.login?.['authenticated_at_ms'] ?? loginTs * 1_000))
}

function noneWhereGone(error: unknown): undefined {
  if (error instanceof errors.SessionNotFound) return undefined
  throw error
}
