/**
 * The guarantees of the provider port as cases that any adapter can be run against, whatever runs them: a list of names
 * and functions. An adapter that passes all of them can carry money; one that passes fewer says which it cannot prove.
 *
 *     for (const { name, run } of conformanceCases(operationKinds, faults)) test(name, () => run(bench))
 */

import type { OperationKind } from '@financial-agents/operation-machine/kinds'
import { approvalCases } from './approvals.ts'
import type { ConformanceCase, ConformanceFault } from './bench.ts'
import { doubtCases } from './doubts.ts'
import { hostedSessionCases } from './hosted-sessions.ts'
import { settlementCases } from './settlement.ts'
import { submissionCases } from './submissions.ts'

/**
 * The cases for these kinds that a provider with these faults can be put through.
 * @param kinds those that the adapter is to carry
 */
export function conformanceCases(
  kinds: readonly OperationKind[],
  faults: ReadonlySet<ConformanceFault>,
): readonly ConformanceCase[] {
  const all = [
    ...kinds.flatMap((kind) => [
      ...submissionCases(kind),
      ...doubtCases(kind),
      ...settlementCases(kind),
      ...approvalCases(kind),
    ]),
    ...(kinds.includes('card_create') ? hostedSessionCases : []),
  ]
  return all.filter(({ needs }) => needs.every((fault) => faults.has(fault)))
}
