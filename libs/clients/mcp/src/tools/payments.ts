/**
 * The tools that pay: prepare, then submit. No tool takes a key. The draft is the payment: if it is submitted again,
 * even after a restart, the result is the same operation.
 */

import { type KnownScope, type TrackedOperation, writtenAmount } from '@financial-agents/client'
import { type Answer, answer } from '../answer.ts'
import { findDeclined, keepDeclined, type Terms } from '../declines.ts'
import { type Draft, expiresAt, intentOf, mayBeSent, type Payment, stateOf } from '../drafts.ts'
import { requestMembers } from '../generated/schemas.ts'
import { objectOf } from '../json-schema.ts'
import { refusedHere } from '../limits.ts'
import { waited } from '../operation-answer.ts'
import { leavesNothing, problemOf } from '../outcome-of-error.ts'
import { foreignText, project } from '../project.ts'
import { similarTo } from '../similar-payments.ts'
import { type Call, type Dependencies, idOf, type Tool } from '../tool.ts'

const { amount, currency, reference, rule } = requestMembers.CreateMandateTransferRequest
const scopes: readonly KnownScope[] = [
  'spending:withdraw',
  'beneficiaries:read',
  'authorization:read',
  'operations:read',
]
const argumentsOfPayment = {
  amount: { ...amount, description: 'A decimal with at most the digits of its currency: "12.50".' },
  currency: { ...currency, description: 'Three capital letters: "EUR".' },
  reference: { ...reference, description: 'The text that the payee reads.' },
  rule: { ...rule, description: 'One of the `authorized_rules` of the mandate, if it has any.' },
}

function draftAnswer(draft: Draft): object {
  const { beneficiary_id, mandate_id, amount: value, currency: code, reference: said, rule: named } = draft.payment
  return {
    handle: draft.handle,
    expires_at: expiresAt(draft),
    beneficiary_id,
    ...(mandate_id !== undefined && { mandate_id }),
    amount: { amount: writtenAmount(value, code), currency: code },
    ...(said !== undefined && { reference: foreignText(said) }),
    ...(named !== undefined && { rule: foreignText(named) }),
  }
}

type PaymentArguments = Omit<Payment, 'beneficiary_id'> & { beneficiary_id?: string }

const prepare: Tool = {
  name: 'prepare_payment',
  title: 'Prepare a payment',
  description:
    'Checks a payment and keeps it as a draft, without paying. Give `mandate_id` to pay under a mandate, or `beneficiary_id` to pay from the spending account. Show the person payee, amount, limits and warnings; then call submit_payment with the handle. Each draft is one payment: prepare again only for another payment.',
  scopes,
  kind: 'draft',
  destructive: false,
  input: objectOf(
    {
      beneficiary_id: idOf('The payee: `id` of list_payees.'),
      mandate_id: idOf('The mandate: `id` of list_mandates.'),
      ...argumentsOfPayment,
    },
    ['amount', 'currency'],
  ),
  run: async (args, { signal }, dependencies) => {
    const { agent, limits, drafts, now } = dependencies
    const asked = args as PaymentArguments
    const refusal = refusedHere(limits, asked.amount, asked.currency)
    if (refusal !== undefined) return answer('refused_here', { message: refusal })
    const mandate = asked.mandate_id === undefined ? undefined : await agent.mandates.get(asked.mandate_id, { signal })
    const payeeId = mandate?.beneficiary_id ?? asked.beneficiary_id
    if (payeeId === undefined || (asked.beneficiary_id ?? payeeId) !== payeeId)
      return answer('invalid_arguments', {
        message:
          'Give mandate_id or beneficiary_id. If you give both, beneficiary_id must be the payee of the mandate.',
      })
    const payment: Payment = { ...asked, beneficiary_id: payeeId }
    const before = await findDeclined(dependencies.store, termsOf(payment), now())
    if (before) return before
    const [payee, { refusal: problem, confirmation_required, limits: left }, warnings] = await Promise.all([
      agent.beneficiaries.get(payeeId, { signal }),
      checked(payment, { agent, signal }),
      drafts.open().then((open) => similarTo(payment, { agent, open, signal, now: now() })),
    ])
    const shown = {
      payee: project('Beneficiary', payee),
      ...(mandate && { mandate: project('Mandate', mandate) }),
      limits: left.map((limit) => project('PaymentLimit', limit)),
      confirmation_required,
      warnings,
    }
    if (problem !== null)
      return answer('not_payable', {
        ...shown,
        problem: problemOf({ ...problem, fields: problem.fields ?? [], requestId: undefined }),
      })
    const draft = await drafts.prepare(payment)
    return answer('prepared', {
      next: { tool: 'submit_payment', arguments: { handle: draft.handle } },
      draft: draftAnswer(draft),
      ...shown,
    })
  },
}

const submit: Tool = {
  name: 'submit_payment',
  title: 'Submit a payment',
  description:
    'Pays the draft: once, however often it is called with this handle, also after a restart. If an answer is lost or unclear, call it again with the same handle. Never prepare a new draft for the same payment.',
  scopes,
  kind: 'write',
  destructive: true,
  input: objectOf(
    {
      handle: {
        type: 'string',
        pattern: '^draft_[2-9a-z]{27}$',
        description: '`draft.handle` of prepare_payment, as it was given.',
      },
    },
    ['handle'],
  ),
  run: async ({ handle }, call, dependencies) => {
    const draft = await dependencies.drafts.get(String(handle))
    if (!draft) return answer('draft_unknown')
    const shown = { draft: draftAnswer(draft) }
    switch (stateOf(draft, dependencies.now())) {
      case 'expired':
        return answer('draft_expired', shown)
      case 'refused':
        return answer('draft_expired', {
          message:
            'This draft was refused before, and it is too old to be sent again. The list in `next` shows if it was paid after all. Prepare it again only if it was not, and the person still wants it.',
          next: paymentsTo(draft),
          ...shown,
        })
      case 'unresolved':
        return answer('unknown', {
          message:
            'No operation is known of this draft, and it is too old to be sent again. The list shows if it was paid.',
          next: paymentsTo(draft),
          ...shown,
        })
      default:
        return { ...(await submitted(draft, call, dependencies)), ...shown }
    }
  },
}

function paymentsTo({ payment }: Draft) {
  return { tool: 'list_payments', arguments: { beneficiary_id: payment.beneficiary_id } }
}

async function submitted(draft: Draft, call: Call, dependencies: Dependencies): Promise<Answer> {
  const { agent, drafts, limits, now, store, waitMs } = dependencies
  if (draft.operationId !== undefined) {
    call.operationId = draft.operationId
    return waited(await agent.operations.get(draft.operationId, { signal: call.signal }), call, waitMs)
  }
  const before = await findDeclined(store, termsOf(draft.payment), now())
  if (before) return before
  if (!mayBeSent(draft)) {
    // The limits apply only to a payment that is not under way. A payment that may have been sent is followed to its end.
    const refusal = refusedHere(limits, draft.payment.amount, draft.payment.currency)
    if (refusal !== undefined) return answer('refused_here', { message: refusal })
    // If nobody has signed in, the sign-in happens here, before the draft counts as sent.
    await agent.authorization.get({ signal: call.signal })
  }
  const { refusedAtMs: _before, ...unrefused } = draft
  const started = { ...unrefused, startedAtMs: draft.startedAtMs ?? now() }
  await drafts.save(started)
  const operation = await send(started, call, dependencies).catch(async (error: unknown) => {
    await keepDeclined(store, termsOf(draft.payment), error, now())
    if (leavesNothing(error)) await keepRefusal(started, dependencies)
    throw error
  })
  call.operationId = operation.id
  await drafts.save({ ...started, operationId: operation.id })
  return waited(operation, call, waitMs)
}

/** The terms of a payment for its owner. Another reference does not make it another payment. */
const termsOf = ({ beneficiary_id, mandate_id, amount: value, currency: code }: Payment): Terms => ({
  beneficiary_id,
  mandate_id,
  amount: writtenAmount(value, code),
  currency: code,
})

/** Keeps that the draft was refused, unless another call with the same handle was accepted. */
async function keepRefusal(draft: Draft, { drafts, now }: Dependencies): Promise<void> {
  const kept = await drafts.get(draft.handle)
  if (kept?.operationId === undefined) await drafts.save({ ...draft, refusedAtMs: now() })
}

function send(draft: Draft, { signal }: Call, { agent }: Dependencies): Promise<TrackedOperation> {
  const options = { intent: intentOf(draft), signal }
  const { mandate_id } = draft.payment
  return mandate_id === undefined
    ? agent.spending.pay(withdrawalOf(draft.payment), options)
    : agent.mandates.pay(mandate_id, transferOf(draft.payment), options)
}

/** Asks the API what would become of the payment. */
function checked(payment: Payment, { agent, ...options }: Pick<Call, 'signal'> & Pick<Dependencies, 'agent'>) {
  return payment.mandate_id === undefined
    ? agent.spending.checkPayment(withdrawalOf(payment), options)
    : agent.mandates.checkPayment(payment.mandate_id, transferOf(payment), options)
}

const withdrawalOf = ({ beneficiary_id, amount: value, currency: code, reference: memo }: Payment) => ({
  beneficiary_id,
  amount: value,
  currency: code,
  ...(memo !== undefined && { memo }),
})

const transferOf = ({ amount: value, currency: code, reference: said, rule: named }: Payment) => ({
  amount: value,
  currency: code,
  ...(said !== undefined && { reference: said }),
  ...(named !== undefined && { rule: named }),
})

export const payments: readonly Tool[] = [prepare, submit]
