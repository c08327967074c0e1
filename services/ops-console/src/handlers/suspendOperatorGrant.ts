/**
 * POST /v1/ops/grants/{grant_id}/suspend stops a grant at once. It is idempotent: a suspended grant gives an equal
 * answer.
 *
 * Invariant: no suspension is missing from the audit. One entry is committed before the suspension, and another with
 * its outcome before the answer leaves.
 */

import { isUnanswered } from '@financial-agents/bus/errors'
import { contextWithin } from '@financial-agents/bus/headers'
import type { OperatorGrantRow, SuspendGrantAnswer } from '@financial-agents/bus/messages/operator'
import { call, type HandlerContext, type Handlers } from '@financial-agents/bus/rpc'
import { Problem } from '@financial-agents/contract/problem'
import type { operatorRoutes } from '@financial-agents/contract/routes/operator'
import { isUuid } from '@financial-agents/postgres/is-uuid'
import type { Dependencies } from '../dependencies.ts'
import { outcomeOf } from './audited.ts'
import { operatorGrants } from './listOperatorGrants.ts'

type Suspension = { grant_id: string; reason: string; reason_for_owner?: string }

export function suspendOperatorGrant(
  dependencies: Dependencies,
): Handlers<typeof operatorRoutes>['suspendOperatorGrant'] {
  return async ({ params, body }, context) => {
    const { reason, reason_for_owner } = body
    const detail: Suspension = { grant_id: params.grant_id, reason, ...(reason_for_owner && { reason_for_owner }) }
    const entry = { action: 'suspendOperatorGrant', operator: context.operator, detail } as const
    await dependencies.audit({ ...entry, outcome: 'attempted' })
    let row: OperatorGrantRow
    let outcome: string
    try {
      ;({ grant: row, outcome } = await suspend(dependencies, detail, context))
    } catch (error) {
      const outcome = outcomeOf(error)
      await dependencies.audit({ ...entry, outcome }).catch((outage: unknown) => {
        // A suspension that may have happened is more important than an entry that was not written.
        throw outcome === 'acceptance_unknown' ? error : outage
      })
      throw error
    }
    await dependencies.audit({ ...entry, outcome }).catch((cause: unknown) => {
      throw new Problem('acceptance_unknown', { detail: repeatIt, cause })
    })
    return showSuspended(dependencies, row, context)
  }
}

const repeatIt = 'The grant may be suspended already. Send the same request again: suspending twice changes nothing.'

async function suspend(
  { bus }: Dependencies,
  suspension: Suspension,
  context: HandlerContext,
): Promise<Extract<SuspendGrantAnswer, { grant: unknown }>> {
  if (!isUuid(suspension.grant_id)) throw new Problem('grant_not_found')
  const request = { ...suspension, operator: context.operator.id }
  const answer = await call(bus, 'int.authz.suspend-grant', request, contextWithin(context)).catch((cause: unknown) => {
    if (!isUnanswered(cause)) throw cause
    if (cause.name === 'NoResponders') throw new Problem('service_unavailable', { cause })
    throw new Problem('acceptance_unknown', { detail: repeatIt, cause })
  })
  if (!('grant' in answer)) throw new Problem(answer.outcome === 'not_found' ? 'grant_not_found' : 'grant_not_active')
  return answer
}

/** The suspension stands even if the grant's activity cannot be read now. */
async function showSuspended({ bus }: Dependencies, row: OperatorGrantRow, context: HandlerContext) {
  const [grant] = await operatorGrants(bus, [row], context).catch((cause: unknown) => {
    throw new Problem('acceptance_unknown', { detail: repeatIt, cause })
  })
  if (!grant) throw new Error('a grant that was suspended has a view')
  return grant
}
