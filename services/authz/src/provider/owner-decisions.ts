/**
 * The owner's decision about an authorization, and the answer with which the browser was then sent to the client. A
 * device's code has one decision, whichever browsers entered it; every other interaction has its own.
 *
 * Invariants: the first decision is recorded, in the transaction that does what it says, and never changes. The answer
 * holds a code, so it is sealed like every artifact, and it is given out only while that code can be redeemed.
 */

import type { Database, Queryable } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'
import type { Sealer } from '@financial-agents/runtime/sealing'
import { createArtifactStore } from '../store/artifacts.ts'
import { codeTtlS, interactionTtlS } from './lifetimes.ts'

/**
 * `uid`: the interaction in which it was taken; undefined if it was taken where a device's code is entered. `ownerId`:
 * undefined if nobody was signed in.
 */
export type OwnerDecision = { uid?: string; clientId: string } & (
  | { type: 'allowed'; ownerId: string; grantId: string; mandateIds: readonly string[] }
  | { type: 'declined'; ownerId: string | undefined; description: string }
)

/** `code`: the authorization code in the answer. */
export type GivenAnswer = { status: number; headers: Record<string, string>; body: string; code?: string | undefined }

/** An interaction that may be over, and the decision about it. */
export type DecidedInteraction = {
  uid: string
  decision: OwnerDecision
  /** The browser was sent on: the interaction continues no more. */
  isOver: boolean
  device: boolean
  /** The session under which it ran. */
  sessionUid: string | undefined
}

/** Somebody has decided before. */
export class AlreadyDecided extends Error {
  override readonly name = 'AlreadyDecided'
}

export type OwnerDecisions = ReturnType<typeof createOwnerDecisions>

export function createOwnerDecisions({ db, sealer, clock }: { db: Database; sealer: Sealer; clock: Clock }) {
  const storeOf = (model: string, at: Queryable = db) => createArtifactStore(at, sealer, model)
  const inS = (seconds: number) => new Date(clock.nowMs() + seconds * 1_000)
  const findOf = async (id: string) => (await storeOf('Decision').find(id))?.payload as OwnerDecision | undefined
  const findInteraction = async (uid: string) => {
    const stored = await storeOf('Interaction').find(uid)
    if (!stored?.expiresAt || stored.expiresAt <= clock.now()) return undefined
    const { deviceCode, session } = stored.payload as { deviceCode?: string; session?: { uid?: string } }
    return { deviceCode, sessionUid: session?.uid, isOver: stored.consumedAt !== null }
  }
  /** @throws AlreadyDecided */
  const take = async (tx: Queryable, id: string, decision: OwnerDecision): Promise<void> => {
    if (!(await storeOf('Decision', tx).claim(id, decision, inS(interactionTtlS)))) throw new AlreadyDecided()
  }
  return {
    /** Decides about an interaction, within the transaction that does what the decision says. @throws AlreadyDecided */
    decide: async (tx: Queryable, decision: OwnerDecision & { uid: string }): Promise<void> => {
      const { deviceCode } = (await findInteraction(decision.uid)) ?? {}
      await take(tx, deviceCode ?? decision.uid, decision)
    },
    /** Decides about a device's code. @throws AlreadyDecided */
    decideCode: take,
    findOfCode: findOf,
    /** Finds an interaction that was decided and is not expired. */
    findDecided: async (uid: string): Promise<DecidedInteraction | undefined> => {
      const found = await findInteraction(uid)
      const decision = found && (await findOf(found.deviceCode ?? uid))
      if (!found || !decision) return undefined
      const { deviceCode, sessionUid, isOver } = found
      return { uid, decision, isOver, device: deviceCode !== undefined, sessionUid }
    },
    keepAnswer: async (uid: string, answer: GivenAnswer): Promise<void> => {
      const endsAt = inS(answer.code === undefined ? interactionTtlS : codeTtlS)
      await storeOf('Answer').record(uid, answer, {}, endsAt)
    },
    /** Undefined if there is none yet. Null if it is over: its code was redeemed, ended or expired. */
    findAnswer: async (uid: string): Promise<GivenAnswer | null | undefined> => {
      const stored = await storeOf('Answer').find(uid)
      if (!stored) return undefined
      const answer = stored.payload as GivenAnswer
      const code = answer.code === undefined ? stored : await storeOf('AuthorizationCode').find(answer.code)
      const isGood = code && !code.consumedAt && Number(code.expiresAt) > clock.nowMs()
      return isGood ? answer : null
    },
  }
}
