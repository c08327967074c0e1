/**
 * The tools that pay: prepare, then submit. No tool takes a key. The draft is the payment: if it is submitted again,
 * even after a restart, the result is the same operation.
 */

import { type KnownScope, type TrackedOperation, writtenAmount } from '@financial-agents/client'
import { type Answer, answer } from '../answer.ts'
import { type Draft, expiresAt, intentOf, mayBeSent, type Payment, stateOf } from '../drafts.ts'
import { requestMembers } from '../generated/schemas.ts'
import { type JsonSchema, objectOf } from '../json-schema.ts'
import { refusedHere } from '../limits.ts'
import { waited } from '../operation-answer.ts'
import { leavesNothing } from '../outcome-of-error.ts'
import { checksOf, checksSchema, similarTo, warningsSchema } from '../payment-checks.ts'
import { foreignText, project } from '../project.ts'
import { type Call, type Dependencies, idOf, refTo, type Tool } from '../tool.ts'

const { amount, currency, reference, rule } = requestMembers.CreateMandateTransferRequest
const scopes: readonly KnownScope[] = [
  'spending:withdraw',
  'beneficiaries:read',
  'authorization:read',
  'operations:read',
]

const draftSchema: JsonSchema = objectOf(
  {
    handle: { type: 'string', description: 'Give it to submit_payment. It is this one payment.' },
    expires_at: { type: 'string', format: 'date-time' },
    beneficiary_id: idOf('The payee.'),
    mandate_id: idOf('The mandate; absent for a payment from the spending account.'),
    amount: refTo('Money'),
    reference: refTo('ForeignText'),
    rule: refTo('ForeignText'),
  },
  ['handle', 'expires_at', 'beneficiary_id', 'amount'],
)

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
    'Checks a payment and keeps it as a draft, without paying. Give `mandate_id` to pay under a mandate, or `beneficiary_id` to pay from the spending account. Show the person payee, amount, checks and warnings; then call submit_payment with the handle. Each draft is one payment: prepare again only for another payment.',
  scopes,
  kind: 'draft',
  destructive: false,
  input: objectOf(
    {
      beneficiary_id: idOf('The payee: `id` of list_payees.'),
      mandate_id: idOf('The mandate: `id` of list_mandates.'),
      amount,
      currency,
      reference: { ...reference, description: 'The text that the payee reads.' },
      rule,
    },
    ['amount', 'currency'],
  ),
  output: {
    draft: draftSchema,
    payee: refTo('Beneficiary'),
    mandate: refTo('Mandate'),
    checks: checksSchema,
    warnings: warningsSchema,
  },
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
    const [payee, authorization, warnings] = await Promise.all([
      agent.beneficiaries.get(payeeId, { signal }),
      agent.authorization.get({ signal }),
      drafts.open().then((open) => similarTo(payment, { agent, open, signal, now: now() })),
    ])
    const checks = checksOf(payment, payee, mandate, authorization, now())
    const shown = {
      payee: project('Beneficiary', payee),
      ...(mandate && { mandate: project('Mandate', mandate) }),
      checks,
      warnings,
    }
    if (checks.some(({ passed }) => !passed)) return answer('not_payable', shown)
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
    { handle: { type: 'string', pattern: '^draft_[2-9a-z]{27}$', description: '`draft.handle` of prepare_payment.' } },
    ['handle'],
  ),
  output: { operation: refTo('Operation'), draft: draftSchema },
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
  const { agent, drafts, limits, now, waitMs } = dependencies
  if (draft.operationId !== undefined) {
    call.operationId = draft.operationId
    return waited(await agent.operations.get(draft.operationId, { signal: call.signal }), call, waitMs)
  }
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
    if (leavesNothing(error)) await keepRefusal(started, dependencies)
    throw error
  })
  call.operationId = operation.id
  await drafts.save({ ...started, operationId: operation.id })
  return waited(operation, call, waitMs)
}

/** Keeps that the draft was refused, unless another call with the same handle was accepted. */
async function keepRefusal(draft: Draft, { drafts, now }: Dependencies): Promise<void> {
  const kept = await drafts.get(draft.handle)
  if (kept?.operationId === undefined) await drafts.save({ ...draft, refusedAtMs: now() })
}

function send(draft: Draft, { signal }: Call, { agent }: Dependencies): Promise<TrackedOperation> {
  const { beneficiary_id, mandate_id, amount: value, currency: code, reference: said, rule: named } = draft.payment
  const options = { intent: intentOf(draft), signal }
  if (mandate_id === undefined) {
    const memo = said === undefined ? {} : { memo: said }
    return agent.spending.withdraw({ beneficiary_id, amount: value, currency: code, ...memo }, options)
  }
  const more = { ...(said !== undefined && { reference: said }), ...(named !== undefined && { rule: named }) }
  return agent.mandates.transfer(mandate_id, { amount: value, currency: code, ...more }, options)
}

export const payments: readonly Tool[] = [prepare, submit]
