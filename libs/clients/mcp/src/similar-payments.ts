/** Warnings before a payment that equals another one. */

import type { Agent, Transfer } from '@financial-agents/client'
import { sameAmount } from './decimal.ts'
import type { Draft, Payment } from './drafts.ts'
import { project } from './project.ts'

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
  const { items } = await agent.payments.list(query, { signal })
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
