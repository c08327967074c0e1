/**
 * Sign-in at the organisation's own provider, and sign-out. Every end of a sign-in is in the audit before its page
 * leaves. A return that belongs to no sign-in is only logged, because anybody may send one as often as they like.
 *
 * Invariant: a signed-in operator was sent to the provider from this browser, came back once, and is in a group with at
 * least one scope.
 */

import { getAlone } from '@financial-agents/pages/tunnel/route-table'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ConsoleTools } from '../http/console-tools.ts'
import { checkForm, hiddenToken } from '../http/form.ts'
import { type PageRefusal, refusals } from '../http/refusals.ts'
import { redirect, sendPage } from '../http/send-page.ts'
import { onTheWayView, signInView } from '../pages/views/sign-in.ts'
import { consumeSignIn, recordSignIn, type SignIn } from '../store/sign-ins.ts'
import { scopesOfGroups } from './group-scopes.ts'
import { SignInFailed } from './identity-provider.ts'

export function addSignInPages(app: FastifyInstance, tools: ConsoleTools): void {
  app.get('/ops/sign-in', (request, reply) => showSignIn(request, reply, tools))
  app.post('/ops/sign-in', (request, reply) => beginSignIn(request, reply, tools))
  app.get('/ops/signed-in', getAlone, (request, reply) => finishSignIn(request, reply, tools))
  app.post('/ops/sign-out', (request, reply) => signOut(request, reply, tools))
}

async function showSignIn(request: FastifyRequest, reply: FastifyReply, tools: ConsoleTools) {
  const { next, signed_out } = request.query as Record<string, unknown>
  const browser = tools.browserSecret.findOrMake(request, reply)
  const hidden = { ...hiddenToken(tools, ['browser', browser]), next: safeNext(next, tools) }
  const view = signInView({ hidden, isSignedOut: signed_out !== undefined })
  return sendPage(reply, tools, { view, rights: { forms: true } })
}

async function beginSignIn(request: FastifyRequest, reply: FastifyReply, tools: ConsoleTools) {
  const { db, sealer, clock } = tools
  const browser = tools.browserSecret.find(request)
  if (browser === undefined) throw refusals.forgedForm()
  const form = checkForm(request, tools, ['browser', browser])
  const { url, checks } = await tools.identityProvider.begin().catch(outOfReach(tools))
  const { state, nonce, verifier } = checks
  const signIn = { nonce, verifier, next: safeNext(form['next'], tools) }
  await recordSignIn(db, sealer, { state, browser }, signIn, clock.now())
  return sendPage(reply, tools, { view: onTheWayView(url) })
}

async function finishSignIn(request: FastifyRequest, reply: FastifyReply, tools: ConsoleTools) {
  const { db, sealer, clock } = tools
  const { state } = request.query as Record<string, unknown>
  const browser = tools.browserSecret.find(request)
  const signIn =
    typeof state === 'string' && browser !== undefined
      ? await consumeSignIn(db, sealer, { state, browser }, clock.now())
      : undefined
  if (!signIn || typeof state !== 'string') {
    tools.log.warn({ remote_address: request.ip }, 'what came back belongs to no sign-in under way in its browser')
    throw refusals.staleSignIn()
  }
  return complete(request, reply, tools, { ...signIn, state })
}

async function complete(
  request: FastifyRequest,
  reply: FastifyReply,
  tools: ConsoleTools,
  { state, nonce, verifier, next }: SignIn & { state: string },
) {
  const { operator, groups } = await tools.identityProvider
    .finish(request.url, { state, nonce, verifier })
    .catch(async (error: unknown) => {
      tools.log.warn({ err: error }, 'a sign-in failed')
      if (!(error instanceof SignInFailed)) return refuse(request, tools, refusals.identityProviderDown())
      const declined = error.reason === 'declined'
      return refuse(request, tools, declined ? refusals.declinedSignIn() : refusals.invalidSignIn())
    })
  const scopes = scopesOfGroups(tools.groupScopes, groups)
  const entry = { action: 'signIn', operator, remoteAddress: request.ip } as const
  if (scopes.length === 0) {
    const refusal = refusals.noGroup()
    await tools.audit({ ...entry, detail: {}, outcome: refusal.code })
    throw refusal
  }
  await tools.audit({ ...entry, detail: { scopes }, outcome: 'signed_in' })
  await tools.sessions.begin(request, reply, { operator, scopes })
  return redirect(reply, next)
}

async function signOut(request: FastifyRequest, reply: FastifyReply, tools: ConsoleTools) {
  const session = await tools.sessions.find(request, false)
  if (session) {
    checkForm(request, tools, ['session', session.key])
    const entry = { action: 'signOut', operator: session.operator, remoteAddress: request.ip } as const
    await tools.audit({ ...entry, detail: {}, outcome: 'signed_out' })
  }
  await tools.sessions.end(request, reply)
  return redirect(reply, '/ops/sign-in?signed_out')
}

/** Records a refused sign-in of an unidentified person. */
async function refuse(request: FastifyRequest, { audit }: ConsoleTools, refusal: PageRefusal): Promise<never> {
  await audit({
    action: 'signIn',
    operator: null,
    detail: {},
    outcome: refusal.code,
    remoteAddress: request.ip,
  })
  throw refusal
}

function outOfReach({ log }: ConsoleTools) {
  return (error: unknown): never => {
    log.warn({ err: error }, 'the identity provider is out of reach')
    throw refusals.identityProviderDown()
  }
}

const ours = /^\/ops(?:[/?][\x21-\x7e]*)?$/

/** Returns an address of the console itself, and the overview for anything else. */
function safeNext(given: unknown, { consoleUrl }: ConsoleTools): string {
  const isOurs = typeof given === 'string' && ours.test(given) && URL.parse(given, consoleUrl)?.origin === consoleUrl
  return isOurs ? given : '/ops'
}
