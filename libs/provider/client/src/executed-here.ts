/**
 * The kinds that the system executes itself, for an adapter that declares them (`executedHere`). Such an operation is recorded,
 * claimed and settled as every other one; only its call ends here and reaches no provider.
 *
 * Invariant: the durable outcome is the execution. The submitter's call and each lookup of the reconciler follow a committed
 * claim, and both give the same answer. A crash between claim and outcome therefore ends as `succeeded`, and never as a second
 * effect.
 */

import type { OperationKind } from '@financial-agents/contract/kinds'
import type { KindExecutedHere, ProviderAdapter } from '@financial-agents/provider-port/adapter'
import type { LookupResult, Provider, SubmissionTarget, SubmitOutcome } from '@financial-agents/provider-port/port'

type Declared = Pick<ProviderAdapter, 'kinds' | 'executedHere'>

const mandateKinds = ['mandate_create', 'mandate_revoke', 'mandate_suspend'] as const

/** The reason why the declared kinds do not fit together; undefined if they do. */
export function findContradiction({ kinds, executedHere = [] }: Declared): string | undefined {
  const undeclared = executedHere.find((kind) => !kinds.includes(kind))
  if (undeclared !== undefined) return `executedHere names ${undeclared}, and kinds does not`
  const mandates = mandateKinds.filter((kind) => executedHere.includes(kind))
  if (mandates.length !== 0 && mandates.length !== mandateKinds.length)
    return 'executedHere names some of the kinds of mandates; name all three or none'
  if (mandates.length > 0 && kinds.includes('mandate_transfer') && !kinds.includes('transfer'))
    return 'mandate_transfer needs transfer if mandates are executed here'
  return undefined
}

/** The port of the adapter, with the kinds that the system executes itself. */
export function withKindsExecutedHere(provider: Provider, { executedHere = [] }: Declared): Provider {
  if (executedHere.length === 0) return provider
  const isHere = (kind: OperationKind) => executedHere.includes(kind as KindExecutedHere)
  const keepsMandates = executedHere.includes('mandate_create')
  const paysAsTransfer = (kind: OperationKind) => keepsMandates && kind === 'mandate_transfer'
  return {
    ...provider,
    supports: (kind) => isHere(kind) || provider.supports(paysAsTransfer(kind) ? 'transfer' : kind),
    // The owner's own confirmation comes before each of these operations. A provider has nobody to ask.
    mayAskApproval: (kind) => !isHere(kind) && !paysAsTransfer(kind) && provider.mayAskApproval(kind),
    prepareApproval: async (request) =>
      isHere(request.kind) || paysAsTransfer(request.kind) ? { type: 'not_needed' } : provider.prepareApproval(request),
    submit: async (submission) => {
      const { kind, payload, reference, target } = submission
      if (isHere(kind)) return submittedHere(kind, reference, target)
      return provider.submit(
        paysAsTransfer(kind) ? { ...submission, kind: 'transfer', payload: transferOf(payload) } : submission,
      )
    },
    lookup: async (request) => {
      const { kind, reference, target } = request
      if (isHere(kind)) return foundHere(kind, reference, target)
      return provider.lookup(paysAsTransfer(kind) ? { ...request, kind: 'transfer' } : request)
    },
  }
}

/**
 * The reference of what the operation made or changed. A mandate has the reference of its beneficiary: a transfer under the mandate
 * names the mandate, and so the beneficiary that is paid.
 */
function upstreamReferenceOf(
  kind: OperationKind,
  reference: string,
  target: SubmissionTarget | undefined,
): string | undefined {
  return kind === 'transfer_grant_revoke' ? reference : target?.upstreamReference
}

function submittedHere(kind: OperationKind, reference: string, target: SubmissionTarget | undefined): SubmitOutcome {
  const upstreamReference = upstreamReferenceOf(kind, reference, target)
  if (upstreamReference === undefined)
    return {
      type: 'failed',
      failureCode: 'submission_invalid',
      failureDetail: 'The operation names no resource; nothing was executed.',
    }
  return { type: 'succeeded', upstreamReference }
}

function foundHere(kind: OperationKind, reference: string, target: SubmissionTarget | undefined): LookupResult {
  const upstreamReference = upstreamReferenceOf(kind, reference, target)
  if (upstreamReference === undefined) return { type: 'unavailable', reason: 'submission_invalid' }
  const read = 'executed_here'
  return { type: 'found', read, state: 'succeeded', upstreamReference, observed: `${read} ${kind} ${reference}` }
}

/** The payload of a transfer under a mandate as the one of a transfer: the text for the payee is called `memo` there. */
function transferOf({ amount, currency, reference }: Readonly<Record<string, unknown>>) {
  return { amount, currency, memo: reference ?? null }
}
