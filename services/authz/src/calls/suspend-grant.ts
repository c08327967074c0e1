/** `int.authz.suspend-grant`: an operator ends a grant's use. The console checks permissions. */

import { contextWithin, type MessageContext } from '@financial-agents/bus/headers'
import type { SuspendGrantAnswer, SuspendGrantRequest } from '@financial-agents/bus/messages/operator'
import { Problem } from '@financial-agents/contract/problem'
import { isUuid } from '@financial-agents/postgres/is-uuid'
import { Unavailable } from '@financial-agents/runtime/unavailable'
import { type EndDependencies, grantEndIsKnown } from '../background/known-ends.ts'
import { changeInTurn } from '../store/changes.ts'
import { suspendGrantForOperator } from '../store/grant-status.ts'
import { findOperatorGrant } from '../store/operator-grants.ts'

/** The caller needs the rest of its time to report the result. */
const fenceMs = 2_500

/**
 * Answers that a grant is suspended only after the gateways have been notified and nothing accepted under it can be sent
 * any more. This holds for a repetition too (write protocol, rule 8).
 * @throws Problem acceptance_unknown
 */
export async function suspendAndFence(
  dependencies: EndDependencies,
  request: SuspendGrantRequest,
  context: MessageContext,
): Promise<SuspendGrantAnswer> {
  const startedMs = performance.now()
  const answer = await suspendForOperator(dependencies, request, context.requestId).catch((cause: unknown) => {
    if (!(cause instanceof Unavailable && cause.mayHaveHappened)) throw cause
    throw new Problem('acceptance_unknown', { detail: perhapsSuspended, cause })
  })
  if (!('grant' in answer)) return answer
  const { grant_id } = answer.grant
  const { operator } = request
  if (answer.outcome === 'suspended') dependencies.log.warn({ grant_id, operator }, 'an operator suspended a grant')
  const leftMs = context.timeoutMs - (performance.now() - startedMs)
  const { timeoutMs } = contextWithin({ ...context, timeoutMs: leftMs }, fenceMs)
  if (await grantEndIsKnown(dependencies, grant_id, timeoutMs)) return answer
  throw new Problem('acceptance_unknown', { detail: notFenced })
}

const perhapsSuspended =
  'The grant may be suspended already. Send the same request again: suspending twice changes nothing.'
const notFenced =
  'The grant is suspended: its requests are refused. It is not confirmed yet that what it has accepted and unsent is stopped. Send the same request again until it is answered: suspending twice changes nothing.'

/**
 * Suspends and reads the grant in one transaction. If two operators suspend it at once, one suspends it, and both read
 * the same result.
 */
export async function suspendForOperator(
  { db, clock }: Pick<EndDependencies, 'db' | 'clock'>,
  { grant_id, operator, reason, reason_for_owner }: SuspendGrantRequest,
  requestId: string | null,
): Promise<SuspendGrantAnswer> {
  if (!isUuid(grant_id)) return { outcome: 'not_found' }
  const for_owner = reason_for_owner ? inOneLine(reason_for_owner) : null
  const by = { operator, words: inOneLine(reason), for_owner, request_id: requestId }
  return changeInTurn(db, async (tx): Promise<SuspendGrantAnswer> => {
    const now = clock.now()
    const before = await findOperatorGrant(tx, grant_id, now)
    if (!before) return { outcome: 'not_found' }
    if (before.status === 'revoked' || before.status === 'expired') return { outcome: 'not_active' }
    const moved = await suspendGrantForOperator(tx, grant_id, by, now)
    const grant = moved ? await findOperatorGrant(tx, grant_id, now) : before
    if (!grant) throw new Error('a grant that was just suspended is not there')
    return { outcome: moved ? 'suspended' : 'already_suspended', grant }
  })
}

/**
 * PostgreSQL cannot store NUL, the page shows one line, and characters that change the text direction would affect the
 * page's own words.
 */
function inOneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Bidi_Control}]+/gu, ' ').trim()
}
