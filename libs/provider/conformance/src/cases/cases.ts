/**
 * The guarantees of the provider port as cases: a list of names and functions, for any adapter and any test runner. An adapter
 * that fails one of them must not carry money. A case that is left out proves nothing: the tests of the adapter name it, and
 * say why that is safe.
 *
 *     for (const { name, run } of conformanceCases(operationKinds, faults)) test(name, () => run(harness))
 */

import type { OperationKind } from '@financial-agents/contract/kinds'
import { approvalCases } from './approvals.ts'
import { deadlineCases, validatedDeadlines } from './deadlines.ts'
import { doubtCases } from './doubts.ts'
import type { ConformanceCase, ConformanceFault } from './harness.ts'
import { hostedSessionCases } from './hosted-sessions.ts'
import { settlementCases } from './settlement.ts'
import { submissionCases } from './submissions.ts'

/**
 * The cases for these kinds that need no other faults than these; without `faults` all cases.
 * @param kinds the operation kinds that the adapter is to support
 */
export function conformanceCases(
  kinds: readonly OperationKind[],
  faults?: ReadonlySet<ConformanceFault>,
): readonly ConformanceCase[] {
  const all = [
    ...kinds.flatMap((kind) => [
      ...submissionCases(kind),
      ...doubtCases(kind),
      ...deadlineCases(kind),
      ...settlementCases(kind),
      ...approvalCases(kind),
    ]),
    validatedDeadlines(kinds),
    ...(kinds.includes('card_create') ? hostedSessionCases : []),
  ]
  return all.filter(({ needs }) => needs.every((fault) => faults?.has(fault) ?? true))
}
