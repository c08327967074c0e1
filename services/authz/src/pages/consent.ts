/**
 * The consent page and the owner's answer, which is taken once. The grant is recorded before the client learns of it. An owner without a
 * connection connects with the same button, which says so, and gives a new grant. Authority under mandates that an
 * earlier grant had does not return with the connection.
 *
 * Invariants: the grant contains exactly what was shown: the scopes of the interaction within the client's limit, the
 * limits of the form, and the offered mandates that the owner ticked. The audit records these mandates together with
 * the grant, and beneficiaries gives the authority under them afterwards. An interruption in between loses authority,
 * but never gives authority that is missing in the audit. A form connects an owner only if its page said so. If the
 * connection has changed and the other button applies now, the owner gets a new page, and no consent is recorded.
 */

import type { OwnerMandate } from '@financial-agents/bus/messages/resources'
import type { MayConnectAnswer } from '@financial-agents/bus/messages/sign-in'
import type { GrantPolicy } from '@financial-agents/contract/schemas/authorization'
import { type CeilingErrors, currencyOf, readCeilings } from '@financial-agents/owner-pages/ceilings'
import { type ConsentPage, consentPage, mandateField } from '@financial-agents/owner-pages/consent'
import { refusals } from '@financial-agents/owner-pages/refusal'
import type { View } from '@financial-agents/owner-pages/view'
import { pagePaths, pathTo } from '@financial-agents/pages/page-paths'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { whoAsks } from '../browser/owner-audit.ts'
import { registeredPolicy } from '../policy/grant-policy.ts'
import type { OwnerInteraction } from '../provider/interaction.ts'
import { AlreadyDecided, type DecidedInteraction } from '../provider/owner-decisions.ts'
import { interactionPath } from '../provider/paths.ts'
import { pairwiseSubject } from '../registration/pairwise-subject.ts'
import { type Registration, sectorOf } from '../registration/registration.ts'
import {
  ClientNotActive,
  FreshSignInNeeded,
  findHumanGrant,
  grantLifetimeMs,
  type HumanGrant,
  recordConsent,
} from '../store/human-grants.ts'
import { findOwner } from '../store/owners.ts'
import { connectChosen, findStanding, listWorksAgain } from './connecting.ts'
import { answerAgain, answerLate, decline, findDecided } from './decided.ts'
import { getClientOf, getInteraction } from './interaction-request.ts'
import { authorizeMandates, findOffered } from './owner-mandates.ts'
import { checkForm, type Form, hiddenToken, redirect, sendView } from './page-request.ts'
import type { PageTools } from './page-tools.ts'

type ConsentRequest = {
  interaction: OwnerInteraction
  owner: NonNullable<OwnerInteraction['owner']>
  registration: Registration
  /** The client's existing grant, if it continues. */
  grant: HumanGrant | undefined
  scopes: string[]
  policy: GrantPolicy
  currency: string | undefined
  /** The end of the access that the page names. The same for each page of one authorization, and for its answer. */
  until: Date
  /** The mandates that the owner can let continue. Undefined if they cannot be read now. */
  mandates: readonly OwnerMandate[] | undefined
  standing: MayConnectAnswer
}

/** The decision that the page's button sends. */
function decisionOf({ type }: MayConnectAnswer): 'allow' | 'connect' {
  return type === 'connected' || type === 'ending' ? 'allow' : 'connect'
}

export function addConsentPage(app: FastifyInstance, tools: PageTools): void {
  const { interactions, decisions, db, clock, pairwiseKey } = tools

  app.post<{ Params: { uid: string } }>(pagePaths.interactionConsent, async (request, reply) => {
    const decided = await findDecided(tools, request)
    if (decided) return repeat(tools, decided, request, reply)
    const interaction = await getInteraction(tools, request, reply)
    const form = checkForm(request, tools, ['interaction', interaction.uid])
    if (interaction.prompt !== 'consent') throw refusals.staleInteraction()
    const decision = readDecision(form)
    if (decision === 'decline') return decline(tools, interaction, request, reply)
    const asked = await readAsked(tools, interaction)
    const { owner, registration, scopes, policy, currency, standing } = asked
    // The new page shows the changes since the first one was sent.
    if (decision !== decisionOf(standing)) return redirect(reply, interactionPath(interaction.uid))
    const limited = scopes.includes('spending:withdraw')
    const reader = await tools.readers.find(request, owner.ownerId)
    const most = registeredPolicy(registration).ceilings
    const { ceilings, errors } = readCeilings(limited ? form : {}, most, currency, reader)
    if (Object.keys(errors).length > 0) {
      const view = await viewOf(tools, asked, request, { form, errors })
      return sendView(reply, { ...view, status: 422 }, tools)
    }
    const about = { owner_id: owner.ownerId, client_id: registration.client_id, mandate_ids: tickedOf(asked, form) }
    const taken = {
      type: 'allowed',
      uid: interaction.uid,
      clientId: registration.client_id,
      ownerId: owner.ownerId,
      mandateIds: about.mandate_ids,
    } as const
    if (decision === 'connect') {
      const { type } = await connectChosen(tools, request, owner, form)
      if (type !== 'connected') return redirect(reply, interactionPath(interaction.uid))
    }
    const { grant_id } = await recordConsent(
      db,
      {
        ...about,
        subject: pairwiseSubject(pairwiseKey, sectorOf(registration), owner.ownerId),
        scopes,
        openid: interaction.openid,
        policy: { ...policy, ceilings },
        authenticated_at: owner.authenticatedAt,
        expires_at: asked.until,
        ...whoAsks(request),
      },
      clock.now(),
      (tx, grantId) => decisions.decide(tx, { ...taken, grantId }),
    ).catch((error: unknown) => {
      if (error instanceof ClientNotActive) throw refusals.clientGone()
      if (error instanceof FreshSignInNeeded) throw refusals.signInAgain()
      if (!(error instanceof AlreadyDecided)) throw error
      return { grant_id: undefined }
    })
    if (grant_id === undefined) return answerLate(tools, 'allowed', request, reply)
    if (about.mandate_ids.length > 0) await authorizeMandates(tools, { ...about, grant_id })
    return interactions.finishConsent(request, reply, grant_id)
  })
}

function readDecision({ decision }: Form): 'allow' | 'connect' | 'decline' {
  if (decision !== 'allow' && decision !== 'connect' && decision !== 'decline') throw refusals.badForm()
  return decision
}

/**
 * A later answer of the owner to the same page. It repeats the first answer's effect only for mandates that the first answer
 * allowed and that are still ticked, in case their authority could not be recorded then.
 */
async function repeat(
  tools: PageTools,
  decided: DecidedInteraction,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const form = checkForm(request, tools, ['interaction', decided.uid])
  const wanted = readDecision(form) === 'decline' ? 'declined' : 'allowed'
  const { decision, isOver } = decided
  if (decision.type === 'allowed' && wanted === 'allowed' && !isOver) {
    const { ownerId: owner_id, clientId: client_id, grantId: grant_id } = decision
    const mandate_ids = decision.mandateIds.filter((id) => form[mandateField(id)] === 'on')
    if (mandate_ids.length > 0) await authorizeMandates(tools, { owner_id, client_id, grant_id, mandate_ids })
  }
  return answerAgain(tools, decided, wanted, request, reply)
}

/**
 * Returns the ids of the offered mandates that the owner ticked. @throws PageRefusal if a mandate is ticked and the
 * offered mandates cannot be read
 */
function tickedOf({ mandates }: ConsentRequest, form: Form): string[] {
  const ticked = Object.keys(form).filter((name) => name.startsWith(mandateField('')))
  if (ticked.length > 0 && !mandates) throw refusals.mandatesOutOfReach()
  return mandates?.map(({ id }) => id).filter((id) => form[mandateField(id)] === 'on') ?? []
}

/**
 * The page for an interaction that waits for consent; undefined if the owner must sign in first. @throws PageRefusal
 */
export async function consentView(
  tools: PageTools,
  interaction: OwnerInteraction,
  request: FastifyRequest,
): Promise<View | undefined> {
  const asked = await readAsked(tools, interaction)
  return asked.standing.type === 'sign_in_again' ? undefined : viewOf(tools, asked, request)
}

async function readAsked(tools: PageTools, interaction: OwnerInteraction): Promise<ConsentRequest> {
  const { owner } = interaction
  if (!owner) throw refusals.signedOut()
  const registration = await getClientOf(tools, interaction)
  const [found, standing] = await Promise.all([
    findHumanGrant(tools.db, owner.ownerId, registration.client_id),
    findStanding(tools, owner),
  ])
  const isKept = found?.status === 'active' && found.expires_at > tools.clock.now() && decisionOf(standing) === 'allow'
  const grant = isKept ? found : undefined
  const ceiling = new Set<string>(registration.scopes)
  const policy = grant?.policy ?? registeredPolicy(registration)
  const scopes = [...new Set([...(grant?.scopes ?? []), ...interaction.scopes])].filter((scope) => ceiling.has(scope))
  return {
    interaction,
    owner,
    registration,
    grant,
    scopes,
    policy,
    currency: currencyOf(registeredPolicy(registration)) ?? currencyOf(policy),
    until: new Date(Math.max(grant?.expires_at.getTime() ?? 0, interaction.since.getTime() + grantLifetimeMs)),
    mandates: scopes.includes('spending:withdraw')
      ? await findOffered(tools, owner.ownerId, { client_id: registration.client_id, grantId: grant?.grant_id })
      : [],
    standing,
  }
}

async function viewOf(
  tools: PageTools,
  asked: ConsentRequest,
  request: FastifyRequest,
  refused?: { form: Form; errors: CeilingErrors },
): Promise<View> {
  const { interaction, registration, grant, scopes, policy, currency, owner, until, mandates, standing } = asked
  const person = await findOwner(tools.db, owner.ownerId)
  const known = new Set<string>(grant?.scopes)
  const { uid, redirectUri, device, openid } = interaction
  const data: ConsentPage = {
    clientName: registration.name,
    face: await tools.faces.of(registration),
    profile: registration.profile,
    redirectUri,
    device,
    ownerName: person?.display_name ?? null,
    reader: tools.readers.of(request, person),
    scopes: openid || grant?.openid ? ['openid', ...scopes] : scopes,
    added: new Set(grant ? scopes.filter((scope) => !known.has(scope)) : []),
    policy,
    registered: registeredPolicy(registration).ceilings,
    currency,
    proposedDay: grant || policy.ceilings.per_day ? undefined : policy.ceilings.per_payment?.amount,
    mandates,
    until,
    written: refused?.form ?? {},
    errors: refused?.errors ?? {},
    connecting: await connectingOf(tools, asked),
    isEnding: standing.type === 'ending',
    action: pathTo(pagePaths.interactionConsent, { uid }),
    hidden: hiddenToken(tools, 'interaction', uid),
  }
  return consentPage(data)
}

/** Facts about the connection that the answer will make; undefined if it makes none. */
async function connectingOf(
  tools: PageTools,
  { standing, owner, registration }: ConsentRequest,
): Promise<ConsentPage['connecting']> {
  if (standing.type !== 'ready') return undefined
  const { provider_name: providerName } = standing
  return { providerName, worksAgain: await listWorksAgain(tools, owner.ownerId, registration.client_id) }
}
