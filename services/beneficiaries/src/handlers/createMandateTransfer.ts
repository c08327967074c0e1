/**
 * POST /v1/mandates/{mandate_id}/transfers: for an authorised client, a grant with authority and an authorised rule, in
 * the mandate's currency. The draft validates the authority again and reserves against every limit, or is refused.
 * Acceptance reserves against the limits of the grant.
 */

import type { MandateAuthority } from '@financial-agents/bus/messages/resources'
import type { Handlers } from '@financial-agents/bus/rpc'
import { checkCapability } from '@financial-agents/contract/capabilities'
import { checkCeilings, reachOf } from '@financial-agents/contract/ceilings'
import { validatePlainTexts } from '@financial-agents/contract/plain-text'
import { fieldsProblem, Problem } from '@financial-agents/contract/problem'
import type { mandatesRoutes } from '@financial-agents/contract/routes/mandates'
import { performWrite } from '@financial-agents/writes/perform'
import type { Dependencies } from '../dependencies.ts'
import { findAuthorityRefusal } from '../mandates/authority.ts'
import { findCanonicalDecimal } from '../mandates/decimal.ts'
import { notActive } from '../mandates/decision.ts'
import { visibleState } from '../mandates/machine.ts'
import type { MandateRow } from '../mandates/store.ts'
import { mandateTransfer } from '../mandates/transfer.ts'
import { getMandateRow, getReference } from '../mandates/validate-action.ts'

export function createMandateTransfer(
  dependencies: Dependencies,
): Handlers<typeof mandatesRoutes>['createMandateTransfer'] {
  return ({ params, body }, context) =>
    performWrite(dependencies, mandateTransfer, context, async () => {
      checkCapability(dependencies.enabledCapabilities, 'transfers.execute')
      const row = await getMandateRow(dependencies, context, params.mandate_id)
      const { beneficiary_id, currency } = row
      const { client_id, grant_id } = context.principal
      checkAuthority(row, { client_id, grant_id }, body.rule)
      const amount = checkBody(row, body)
      const { ceilings } = context.policy
      checkCeilings(ceilings, reachOf({ amount, currency }))
      const { reference = null, rule = null } = body
      return {
        input: { mandate_id: row.id, amount, grant_id },
        payload: { ...body, amount },
        payment: { beneficiary_id, amount, currency, rule, reference, ceilings },
        mandate_id: row.id,
        mandate_ends_at: row.expires_at.toISOString(),
        target_reference: getReference(row, dependencies.clock.now()),
        checkJoined: async () => {
          const joined = await getMandateRow(dependencies, context, row.id)
          checkAuthority(joined, { client_id, grant_id }, body.rule)
          checkInForce(joined, dependencies.clock.now())
        },
      }
    })
}

/** @throws Problem mandate_client_not_authorized, mandate_rule_not_authorized */
function checkAuthority(row: MandateRow, by: MandateAuthority, rule?: string): void {
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
function checkBody(
  { currency }: MandateRow,
  body: { amount: string; currency: string; reference?: string | undefined },
): string {
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

/**
 * Checks a draft that an earlier equal request made. Its reservation still holds, but the mandate may have ended.
 * @throws Problem mandate_not_active
 */
function checkInForce(row: MandateRow, now: Date): void {
  const state = visibleState(row, now)
  if (state !== 'active' && state !== 'exhausted') throw notActive(state)
}
