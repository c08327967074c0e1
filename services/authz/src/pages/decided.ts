/**
 * One decision for each authorization. The first answer of the owner is recorded; every later answer, tab or Back gets
 * what was decided. The same answer leads the browser on as the first one did. Any other request gets a page that says
 * what was decided, and how to undo it.
 *
 * Invariant: only the browser and the person of the first answer get it again, and a code only while nobody redeemed it.
 */

import { setTimeout } from 'node:timers/promises'
import { decidedView } from '@financial-agents/owner-pages/decided'
import { refusals } from '@financial-agents/owner-pages/refusal'
import { pagePaths, pathTo } from '@financial-agents/pages/page-paths'
import { cookieJar } from '@financial-agents/pages/tunnel/cookie-jar'
import { getAlone } from '@financial-agents/pages/tunnel/route-table'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { auditEntry } from '../browser/owner-audit.ts'
import { cookieNames } from '../provider/cookies.ts'
import type { OwnerInteraction } from '../provider/interaction.ts'
import {
  AlreadyDecided,
  type DecidedInteraction,
  type GivenAnswer,
  type OwnerDecision,
} from '../provider/owner-decisions.ts'
import { answerPath, interactionPath } from '../provider/paths.ts'
import { recordAudit } from '../store/audit.ts'
import { findClient } from '../store/clients.ts'
import { findHumanGrantById } from '../store/human-grants.ts'
import { redirect, sendView } from './page-request.ts'
import type { PageTools } from './page-tools.ts'

type Params = { Params: { uid: string } }

export function addDecidedPage(app: FastifyInstance, tools: PageTools): void {
  app.get<Params>(pagePaths.interactionAnswer, getAlone, async (request, reply) => {
    const decided = await findDecided(tools, request)
    if (!decided) throw refusals.staleInteraction()
    if (!decided.isOver) return answerAgain(tools, decided, decided.decision.type, request, reply)
    const answer = await awaitAnswer(tools, decided)
    if (!answer) return redirect(reply, interactionPath(decided.uid))
    return reply
      .code(answer.status)
      .headers({ ...answer.headers, 'cache-control': 'no-store' })
      .send(answer.body)
  })
}

/** Returns what was decided about the interaction of this browser; undefined if somebody else than its owner asks. */
export async function findDecided(
  { decisions, interactions, sessions, baseUrl }: PageTools,
  request: FastifyRequest<Params>,
): Promise<DecidedInteraction | undefined> {
  const { uid } = request.params
  if (cookieJar(baseUrl, cookieNames(baseUrl).interaction).read(request) !== uid) return undefined
  const decided = await decisions.findDecided(uid)
  if (!decided) return undefined
  const { decision, sessionUid } = decided
  if (decision.ownerId === undefined) return decision.uid === uid ? decided : undefined
  // An interrupted redirect may have taken the browser's new cookie with it. The session that the owner began counts.
  const [owner, current] = await Promise.all([
    sessionUid === undefined ? undefined : interactions.findOwnerOf(sessionUid),
    sessions.find(request),
  ])
  const isTheirs = owner === decision.ownerId && (!current || current.ownerId === decision.ownerId)
  return isTheirs ? decided : undefined
}

/** Leads the browser on if it answers like the first time, and otherwise shows what was decided. */
export function answerAgain(
  { interactions }: PageTools,
  { uid, decision, isOver }: DecidedInteraction,
  wanted: OwnerDecision['type'],
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | Promise<FastifyReply> {
  if (decision.type !== wanted || decision.uid !== uid) return redirect(reply, interactionPath(uid))
  if (isOver) return redirect(reply, answerPath(uid))
  return decision.type === 'allowed'
    ? interactions.finishConsent(request, reply, decision.grantId)
    : interactions.denyInteraction(request, reply, decision.description)
}

/** Answers as `answerAgain` if another answer was recorded while this one was under way. */
export async function answerLate(
  tools: PageTools,
  wanted: OwnerDecision['type'],
  request: FastifyRequest<Params>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const decided = await findDecided(tools, request)
  if (!decided) throw refusals.staleInteraction()
  return answerAgain(tools, decided, wanted, request, reply)
}

/** The owner declines: the client receives `access_denied`. */
export async function decline(
  tools: PageTools,
  { uid, clientId, owner }: OwnerInteraction,
  request: FastifyRequest<Params>,
  reply: FastifyReply,
  description = 'the owner declined',
): Promise<FastifyReply> {
  const about = { client_id: clientId, owner_id: owner?.ownerId }
  try {
    await tools.db.transaction(async (tx) => {
      await tools.decisions.decide(tx, { uid, clientId, type: 'declined', ownerId: owner?.ownerId, description })
      await recordAudit(tx, [auditEntry(tools.clock, request, 'consent_denied', about)])
    })
  } catch (error) {
    if (!(error instanceof AlreadyDecided)) throw error
    return answerLate(tools, 'declined', request, reply)
  }
  return tools.interactions.denyInteraction(request, reply, description)
}

export async function sendDecided(
  tools: PageTools,
  { uid, decision, isOver, device }: DecidedInteraction,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const [client, grant, answer] = await Promise.all([
    findClient(tools.db, decision.clientId),
    decision.type === 'allowed' ? findHumanGrantById(tools.db, decision.grantId) : undefined,
    isOver && !device ? tools.decisions.findAnswer(uid) : undefined,
  ])
  const isActive = grant?.status === 'active' && grant.expires_at > tools.clock.now()
  const canGoOn = isOver ? Boolean(answer) : decision.uid === uid
  const view = decidedView({
    reader: await tools.readers.find(request, decision.ownerId),
    clientName: client?.registration.name ?? decision.clientId,
    logo: (await tools.faces.of({ client_id: decision.clientId })).logo,
    device,
    decided: decision.type === 'declined' ? 'declined' : isActive ? 'allowed' : 'ended',
    access: grant && pathTo(pagePaths.accountApplication, { grantId: grant.grant_id }),
    goOn: canGoOn ? answerPath(uid) : undefined,
  })
  return sendView(reply, view, tools)
}

const looks = 10
const pauseMs = 100

/** The request that ends an interaction keeps its answer last, so a browser that comes at that moment waits for it. */
async function awaitAnswer({ decisions }: PageTools, { uid, device }: DecidedInteraction): Promise<GivenAnswer | null> {
  for (let look = 0; look < looks && !device; look += 1) {
    const answer = await decisions.findAnswer(uid)
    if (answer !== undefined) return answer
    await setTimeout(pauseMs)
  }
  return null
}
