/**
 * Checks a payment before it is prepared: the payee, the mandate, and the remainder of each limit. The checks only read.
 * The API decides when the payment is sent.
 */

import type { Agent, Authorization, Beneficiary, Mandate, Transfer } from '@financial-agents/client'
import { exceeds, minus, sameAmount } from './decimal.ts'
import type { Draft, Payment } from './drafts.ts'
import { type JsonSchema, objectOf } from './json-schema.ts'
import { project } from './project.ts'

/** Checks of amounts and counts also have `limit` and `left_after`. */
export type Check = { check: string; passed: boolean; limit?: string; left_after?: string | null }

const text = { type: 'string' } as const
export const checksSchema: JsonSchema = {
  type: 'array',
  items: objectOf(
    {
      check: { ...text, description: 'What was checked.' },
      passed: { type: 'boolean' },
      limit: { ...text, description: 'The limit: what remains of a cap before this payment.' },
      left_after: { type: ['string', 'null'], description: 'What remains after this payment.' },
    },
    ['check', 'passed'],
  ),
}

/** A limit of an amount or of a count. */
function within(check: string, limit: string, amount: string): Check {
  const passed = !exceeds(amount, limit)
  return { check, passed, limit, left_after: passed ? minus(limit, amount) : null }
}

/** The checks of a payment to this payee, under this mandate if there is one. */
export function checksOf(
  { amount, currency, rule }: Payment,
  payee: Beneficiary,
  mandate: Mandate | undefined,
  { policy, capabilities, client }: Authorization,
  now: number,
): Check[] {
  const { per_payment: most } = policy.ceilings
  return [
    { check: 'payments_enabled', passed: capabilities.transfers.execute.available },
    { check: 'payee_active', passed: payee.state === 'active' },
    { check: 'currency_of_payee', passed: payee.currency === currency },
    ...(mandate ? mandateChecks(mandate, { amount, currency, rule }, client.id, now) : []),
    ...(most
      ? [
          { check: 'currency_of_grant', passed: most.currency === currency },
          within('grant_per_payment', most.amount, amount),
        ]
      : []),
  ]
}

type Terms = Pick<Payment, 'amount' | 'currency'> & { rule: string | undefined }

function mandateChecks(mandate: Mandate, { amount, currency, rule }: Terms, clientId: string, now: number): Check[] {
  const { remaining, authorized_rules: rules } = mandate
  return [
    { check: 'mandate_active', passed: mandate.state === 'active' && Date.parse(mandate.expires_at) > now },
    { check: 'mandate_names_this_client', passed: mandate.authorized_clients.includes(clientId) },
    { check: 'mandate_rule', passed: rules.length === 0 ? rule === undefined : rules.includes(rule ?? '') },
    { check: 'currency_of_mandate', passed: mandate.currency === currency },
    within('mandate_per_payment', mandate.per_payment_max, amount),
    within('mandate_day', remaining.daily, amount),
    within('mandate_week', remaining.weekly, amount),
    within('mandate_month', remaining.monthly, amount),
    within('mandate_total', remaining.total, amount),
    within('mandate_payments', String(remaining.payments), '1'),
  ]
}

export const warningsSchema: JsonSchema = {
  type: 'array',
  items: objectOf(
    {
      warning: { ...text, enum: ['similar_recent_payment', 'similar_open_draft'] },
      message: text,
      payment: { $ref: '#/$defs/Transfer' },
      draft: text,
    },
    ['warning', 'message'],
  ),
}

const similarWithinMs = 24 * 3_600_000

/** Warns of equal payments to the same payee: payments of the last 24 hours, and drafts that are not submitted. */
export async function similarTo(
  payment: Payment,
  { agent, open, signal, now }: { agent: Agent; open: Draft[]; signal: AbortSignal; now: number },
): Promise<object[]> {
  const query = {
    beneficiary_id: payment.beneficiary_id,
    created_after: new Date(now - similarWithinMs).toISOString(),
    limit: 50,
  }
  const { items } = await agent.transfers.list(query, { signal })
  const equal = ({ amount, currency }: { amount: string; currency: string }) =>
    currency === payment.currency && sameAmount(amount, payment.amount)
  const isLive = ({ state }: Transfer) => state !== 'failed' && state !== 'cancelled'
  const recent = items.filter((transfer) => isLive(transfer) && equal(transfer.amount))
  const drafts = open.filter((draft) => draft.payment.beneficiary_id === payment.beneficiary_id && equal(draft.payment))
  return [
    ...recent.slice(0, 5).map((transfer) => ({
      warning: 'similar_recent_payment',
      message:
        'The same amount went to the same payee within 24 hours. Ask the person if this is a second payment before you submit it.',
      payment: project('Transfer', transfer),
    })),
    ...drafts.slice(0, 5).map(({ handle }) => ({
      warning: 'similar_open_draft',
      message: 'An equal draft is open. If you mean that payment, submit that draft, and let this one expire.',
      draft: handle,
    })),
  ]
}
