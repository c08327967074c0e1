/**
 * Chooses the visit that a client gets: the client's open one, else a new one. The visit is committed before the
 * provider is asked. The provider answers the same reference with the same page, so no address is stored.
 *
 * Invariant: visits of one owner are opened one after another, and at most `mostADay` within a day.
 */

import { randomUUIDv7 } from 'node:crypto'
import { Problem } from '@financial-agents/contract/problem'
import type { Database } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'
import { visitPauseMs } from './kyc-schedule.ts'
import { countSessionsSince, findLatestSession, type KycSession, recordSession } from './kyc-sessions-store.ts'
import { type Kyc, lockKycOf, recordKycFollowed } from './kyc-store.ts'
import { canVerify } from './kyc-words.ts'

const dayMs = 86_400_000
const mostADay = 20
/** The time that a visit must still last to be useful to the owner. */
const leastMs = 60_000
/** The time for which a page that the provider did not return is requested again under the same reference. */
const unansweredMs = 10 * 60_000
/** The time after the opening of a visit during which its result is looked for. */
const followMs = 15 * 60_000

type Visitor = { owner_id: string; client_id: string; binding_id: string }

/** Returns the id of the visit, which is our reference at the provider. @throws Problem kyc_session_unavailable */
export function getSession({ db, clock }: { db: Database; clock: Clock }, visitor: Visitor): Promise<string> {
  const now = clock.now()
  const dayAgo = new Date(now.getTime() - dayMs)
  return db.transaction(async (tx) => {
    const kyc = await lockKycOf(tx, visitor.owner_id, now)
    if (!canVerify(kyc.status)) throw new Problem('kyc_session_unavailable')
    await recordKycFollowed(tx, visitor.owner_id, after(now, followMs), after(now, visitPauseMs))
    const latest = await findLatestSession(tx, visitor, dayAgo)
    if (latest && isOpen(latest, visitor, kyc, now)) return latest.id
    if ((await countSessionsSince(tx, visitor.owner_id, dayAgo, mostADay)) === mostADay) throw new Problem(...tooMany)
    const id = randomUUIDv7()
    await recordSession(tx, { ...visitor, id }, kyc, now)
    return id
  })
}

const tooMany = [
  'kyc_session_unavailable',
  { detail: `The owner was given ${mostADay} pages within a day. Open another one later.` },
] as const

/** A verification that changed since, except to `pending`, may be the result of this visit. Its page is then over. */
function isOpen(session: KycSession, { binding_id }: Visitor, kyc: Kyc, now: Date): boolean {
  const until = session.expires_at ? after(session.expires_at, -leastMs) : after(session.created_at, unansweredMs)
  if (session.binding_id !== binding_id || until <= now) return false
  const unchanged = session.kyc_status === kyc.status && session.kyc_changed_at.getTime() === kyc.changed_at.getTime()
  return unchanged || kyc.status === 'pending'
}

function after(time: Date, ms: number): Date {
  return new Date(time.getTime() + ms)
}
