/**
 * Transfers at Increase: ACH, or Real-Time Payments, as the beneficiary's payout schema says. The beneficiary is read before the one
 * request, which names the payee.
 *
 * Invariant: `succeeded` needs the settlement of an ACH transfer, or the completion of a real-time transfer. `returned`, `rejected` and
 * `canceled` are failures. Everything else is pending, an unknown status included.
 */

import { findPlainDecimal } from '@financial-agents/provider-http/plain-decimal'
import { findShape } from '@financial-agents/provider-http/shapes'
import { BigNumber } from 'bignumber.js'
import { z } from 'zod'
import { findPayee } from './beneficiaries.ts'
import type { KindRow, Said, Saying, Stand } from './kind-row.ts'
import { failed, findRefusal, notReached, unavailableReason, unsayable } from './outcomes.ts'

const Payload = z.object({
  amount: z.string(),
  currency: z.literal('USD'),
  memo: z.string().max(140).nullish(),
})

const shared = {
  id: z.string().min(1).max(200),
  account_id: z.string(),
  idempotency_key: z.string().nullable(),
  status: z.string(),
}

const Transfer = z.discriminatedUnion('type', [
  z.object({ ...shared, type: z.literal('ach_transfer'), settlement: z.object({ settled_at: z.string() }).nullable() }),
  z.object({ ...shared, type: z.literal('real_time_payments_transfer') }),
])

const ends = {
  canceled: 'provider_refused',
  rejected: 'provider_refused',
  returned: 'provider_rejected_details',
} as const

export const transfer: KindRow = {
  say,
  findStand(body) {
    const { data } = Transfer.safeParse(body)
    if (data === undefined) return undefined
    const { id, idempotency_key: key, account_id: account, status } = data
    const stand = { id, key, account, status } as const
    if (Object.hasOwn(ends, status)) {
      return { ...stand, state: 'failed', failureCode: ends[status as keyof typeof ends] } satisfies Stand
    }
    const isDone =
      data.type === 'ach_transfer' ? status === 'submitted' && data.settlement !== null : status === 'complete'
    return { ...stand, state: isDone ? 'succeeded' : 'pending' }
  },
  read: 'transfer_by_idempotency_key',
  proof: 'key',
  lists: [
    (client, query) => client.achTransfers.list(query),
    (client, query) => client.realTimePaymentsTransfers.list(query),
  ],
}

/** US dollars as cents; undefined if the text is not a positive amount of whole cents. */
export function findCents(amount: string): number | undefined {
  const plain = findPlainDecimal(amount)
  if (plain === undefined) return undefined
  const cents = new BigNumber(plain).shiftedBy(2)
  return cents.isInteger() && cents.lte(Number.MAX_SAFE_INTEGER) ? cents.toNumber() : undefined
}

async function say({ person, submission, target, ask, habits }: Saying): Promise<Said> {
  const { data } = Payload.safeParse(submission.payload)
  const amount = data && findCents(data.amount)
  if (data === undefined || amount === undefined) return unsayable
  const found = await ask((client) => client.externalAccounts.retrieve(target))
  const reason = unavailableReason(found)
  if (reason !== undefined || found.type !== 'answered') {
    const refusal = findRefusal(found)
    if (refusal === undefined) return notReached()
    return failed(refusal.code, `The beneficiary cannot be read (${refusal.type}); no transfer was sent.`)
  }
  const payee = findPayee(findShape(z.unknown(), found.body))
  if (payee?.id !== target || payee.status !== 'active') return unpayable
  const text = data.memo ?? habits.statementDescriptor
  const options = { idempotencyKey: submission.reference }
  const common = { amount, external_account_id: target, require_approval: habits.approveTransfers }
  if (payee.rail === 'ach') {
    const body = {
      ...common,
      account_id: person.account_id,
      individual_name: payee.name.slice(0, 22),
      statement_descriptor: text,
    }
    return { type: 'said', call: (client) => client.achTransfers.create(body, options) }
  }
  if (person.account_number_id === undefined) return withoutNumber
  const body = {
    ...common,
    creditor_name: payee.name,
    source_account_number_id: person.account_number_id,
    unstructured_remittance_information: text,
  }
  return { type: 'said', call: (client) => client.realTimePaymentsTransfers.create(body, options) }
}

const unpayable = failed(
  'provider_rejected_details',
  'The beneficiary is archived at Increase, or its description was changed there; no transfer was sent.',
)

const withoutNumber = failed(
  'submission_invalid',
  'The connection names no account number to send real-time transfers from; no transfer was sent.',
)
