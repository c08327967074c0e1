/** What operators ask: grants of any owner, what clients are called, and the end of a grant's use. The console judges who may. */

import type { Bus } from '@financial-agents/bus/connect'
import type { SuspendGrantAnswer, SuspendGrantRequest } from '@financial-agents/bus/messages/operator'
import { serveCall } from '@financial-agents/bus/rpc'
import type { Database } from '@financial-agents/postgres/database'
import { isUuid } from '@financial-agents/postgres/is-uuid'
import type { Clock } from '@financial-agents/runtime/clock'
import type { Log } from '@financial-agents/runtime/log'
import { changeInTurn } from '../store/changes.ts'
import { suspendGrantForOperator } from '../store/grant-status.ts'
import { findOperatorGrant, listClientNames, listOperatorGrants } from '../store/operator-grants.ts'

type Parts = { bus: Bus; db: Database; clock: Clock; log: Log }

export function serveOperators({ bus, db, clock, log }: Parts): void {
  serveCall(bus, 'int.authz.find-grants', (request) => listOperatorGrants(db, request, clock.now()), { log })
  serveCall(bus, 'int.authz.client-names', ({ client_ids }) => listClientNames(db, client_ids), { log })
  serveCall(
    bus,
    'int.authz.suspend-grant',
    async (request, { requestId }) => {
      const answer = await suspendForOperator({ db, clock }, request, requestId)
      if (answer.outcome === 'suspended')
        log.warn({ grant_id: request.grant_id, operator: request.operator }, 'an operator suspended a grant')
      return answer
    },
    { log },
  )
}

/** In one transaction with the grant as it then is, so that of two operators at once one suspended it and both read the same. */
export async function suspendForOperator(
  { db, clock }: Pick<Parts, 'db' | 'clock'>,
  { grant_id, operator, reason }: SuspendGrantRequest,
  requestId: string | null,
): Promise<SuspendGrantAnswer> {
  if (!isUuid(grant_id)) return { outcome: 'not_found' }
  const by = { operator, words: inOneLine(reason), request_id: requestId }
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

/** PostgreSQL holds no NUL, and the page shows one line. */
function inOneLine(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ').trim()
}
