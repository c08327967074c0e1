/**
 * Returns the status of an intent. An intent of another owner or client and a missing intent get the same answer, 404.
 */

import type { Handlers } from '@financial-agents/bus/rpc'
import { Problem } from '@financial-agents/contract/problem'
import type { confirmationRoutes } from '@financial-agents/contract/routes/confirmation-intents'
import { isUuid } from '@financial-agents/postgres/is-uuid'
import { checkActionScope } from '../intents/check-action-scope.ts'
import { confirmedActions } from '../intents/confirmed-actions.ts'
import { toConfirmationIntent } from '../intents/intent-views.ts'
import { findIntent } from '../store/confirmation-intents.ts'
import type { IntentDependencies } from './createConfirmationIntent.ts'

type GetConfirmationIntent = Handlers<typeof confirmationRoutes>['getConfirmationIntent']

export function getConfirmationIntent(
  dependencies: Pick<IntentDependencies, 'db' | 'clock' | 'baseUrl' | 'sealer'>,
): GetConfirmationIntent {
  const { db, clock, baseUrl, sealer } = dependencies
  return async ({ params: { intent_id } }, { principal, scopes }) => {
    const row = isUuid(intent_id) ? await findIntent(db, intent_id, principal.owner_id) : undefined
    if (row?.client_id !== principal.client_id) throw new Problem('confirmation_intent_not_found')
    checkActionScope(confirmedActions[row.action], { scopes })
    return toConfirmationIntent(row, baseUrl, sealer, clock.now())
  }
}
