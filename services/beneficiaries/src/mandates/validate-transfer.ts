/** The checks of a payment under a mandate before its draft, which validates the authority again, and every limit, under the lock. */

import type { MandateAuthority } from '@financial-agents/bus/messages/resources'
import type { HandlerContext } from '@financial-agents/bus/rpc'
import { checkCeilings, reachOf } from '@financial-agents/contract/ceilings'
import { validatePlainTexts } from '@financial-agents/contract/plain-text'
import { fieldsProblem, Problem } from '@financial-agents/contract/problem'
import type { RouteInput } from '@financial-agents/contract/route'
import type { mandatesRoutes } from '@financial-agents/contract/routes/mandates'
import { findAuthorityRefusal } from './authority.ts'
import { findCanonicalDecimal } from './decimal.ts'
import type { MandateRow } from './store.ts'

type TransferBody = RouteInput<(typeof mandatesRoutes)['createMandateTransfer']>['body']

/**
 * Returns the amount in canonical form.
 * @throws Problem with which the payment is refused before its draft
 */
export function validateTransfer(
  row: MandateRow,
  body: TransferBody,
  { principal, policy }: Pick<HandlerContext, 'principal' | 'policy'>,
): string {
  checkAuthority(row, principal, body.rule)
  const amount = checkBody(row, body)
  checkCeilings(policy.ceilings, reachOf({ amount, currency: row.currency }))
  return amount
}

/** @throws Problem mandate_client_not_authorized, mandate_rule_not_authorized */
export function checkAuthority(row: MandateRow, by: MandateAuthority, rule?: string): void {
  const refusal = findAuthorityRefusal(row, by)
  if (refusal) throw refusal
  const { authorized_rules } = row
  const none = authorized_rules.length === 0
  if (rule === undefined ? !none : !authorized_rules.includes(rule))
    throw new Problem('mandate_rule_not_authorized', {
      detail: none
        ? 'The mandate authorises no rule: leave rule out.'
        : 'Send one of the authorized_rules of the mandate as rule.',
    })
}

/**
 * Returns the amount in canonical form.
 * @throws Problem validation_failed
 */
function checkBody({ currency }: MandateRow, body: TransferBody): string {
  const fields = validatePlainTexts(body, ['reference'])
  if (body.currency !== currency)
    fields.push({ path: 'currency', message: `Send ${currency}, the currency of the mandate.` })
  const amount = findCanonicalDecimal(body.amount)
  if (amount === undefined || fields.length > 0)
    throw fieldsProblem(
      amount === undefined ? [{ path: 'amount', message: 'Send a shorter amount.' }, ...fields] : fields,
    )
  return amount
}
