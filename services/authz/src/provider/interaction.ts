/**
 * What pages need of an authorization that waits for its owner: what is asked, and the ways it goes on. A page under
 * `/interaction/{uid}` asks for the interaction by the browser's cookie, never by the address alone.
 *
 * Invariant: a sign-in is taken up by the browser that signed in, by the session that it got there, and by no other that
 * knows the interaction; whoever signed in last is who that session belongs to.
 */

import type { FastifyReply, FastifyRequest } from 'fastify'
import { errors, type InteractionResults, type Provider } from 'oidc-provider'
import type { BrowserSessions } from '../browser/browser-session.ts'
import { acr } from './acr.ts'

export type OwnerInteraction = {
  uid: string
  clientId: string
  /** What it waits for: a sign-in, or consent. */
  prompt: 'login' | 'consent'
  /** Why: `no_session`, `login_prompt`, `max_age`, `max_age_alone`, `grant_suspended`; `consent_prompt`, `op_scopes_missing`, `rs_scopes_missing`, `device`. */
  reasons: readonly string[]
  /** Every scope that the client asks for, openid apart. */
  scopes: readonly string[]
  /** Those that the owner has not granted to the client yet; all of them where there is no grant to add to. */
  missingScopes: readonly string[]
  openid: boolean
  /** Whether it began with a code shown on a device. */
  device: boolean
  /** Where the client hears of the outcome; undefined for a device. */
  redirectUri: string | undefined
  /** Who is signed in in this browser, and since when; undefined where nobody is. */
  owner: { ownerId: string; authenticatedAt: Date } | undefined
}

export type SignedIn = { ownerId: string; authenticatedAt: Date }

export type Interactions = {
  /** Undefined where it is over, or another browser's. */
  findInteraction: (request: FastifyRequest, reply: FastifyReply) => Promise<OwnerInteraction | undefined>
  /**
   * Signs in in this browser and goes on with this owner: sends the browser there (303).
   * @throws SessionNotFound where the interaction began under a session that is not this browser's
   */
  finishSignIn: (request: FastifyRequest, reply: FastifyReply, signedIn: SignedIn) => Promise<FastifyReply>
  /** Goes on after `recordConsent`, and sends the browser there (303). */
  finishConsent: (request: FastifyRequest, reply: FastifyReply, grantId: string) => Promise<FastifyReply>
  /** Ends it: the client hears `access_denied`. */
  denyInteraction: (request: FastifyRequest, reply: FastifyReply, description?: string) => Promise<FastifyReply>
  /** Ends or goes on with any other result of the library. */
  finishInteraction: (
    request: FastifyRequest,
    reply: FastifyReply,
    result: InteractionResults,
    options?: { merge: boolean },
  ) => Promise<FastifyReply>
}

/** `provider` is asked for at each call: it is another one after the signing keys changed. */
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
    prompt: prompt.name === 'login' ? 'login' : 'consent',
    reasons: prompt.reasons,
    scopes: asked.filter((scope) => scope !== 'openid'),
    missingScopes: Object.values(missing ?? {}).flat(),
    openid: asked.includes('openid'),
    device: interaction.deviceCode !== undefined,
    redirectUri: typeof params['redirect_uri'] === 'string' ? params['redirect_uri'] : undefined,
    owner: session?.accountId
      ? { ownerId: session.accountId, authenticatedAt: authenticationTime(interaction, session.loginTs) }
      : undefined,
  }
}

/**
 * The library keeps the outcome of a sign-in under the interaction, for whoever resumes it, and compares sessions only where
 * there was one at the start. So the browser is signed in here, by a new id (where somebody else was, by a new session: the
 * library would otherwise send a page that logs out by script), and the interaction goes on under that session alone.
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

/** The cookie of the session ends with the browser; the session itself after an hour without use. */
function loginOf({ ownerId, authenticatedAt }: SignedIn) {
  const ms = authenticatedAt.getTime()
  return { accountId: ownerId, acr, ts: Math.floor(ms / 1_000), authenticated_at_ms: ms, remember: false }
}

/** To the millisecond where the sign-in was part of this authorization; the session knows seconds. */
function authenticationTime({ lastSubmission }: Interaction, loginTs = 0): Date {
  return new Date(Number(lastSubmission?.login?.['authenticated_at_ms'] ?? loginTs * 1_000))
}

function noneWhereGone(error: unknown): undefined {
  if (error instanceof errors.SessionNotFound) return undefined
  throw error
}
