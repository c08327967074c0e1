/** The calls that the reconciler answers. */

import type { Confirmation, LateAnswer } from '../messages/events.ts'
import type { OperatorReads, Review, ReviewsRequest } from '../messages/operator.ts'
import { call, notice } from './row.ts'

export const reconcilerCalls = {
  'int.reconciler.late-answer': call<LateAnswer, null>({
    askedBy: ['submitter'],
    meaning:
      "reports a provider's answer that came after the submitter's watchdog gave up the attempt. The reconciler answers after its commit; the submitter keeps the late answer until then",
  }),
  'int.reconciler.reviews': call<ReviewsRequest, Review[]>({
    askedBy: ['ops-console'],
    meaning: 'for operators: the unsettled operations under review, newest first, or those among the given ids',
  }),
  'int.reconciler.reads': call<{ operation_id: string }, OperatorReads>({
    askedBy: ['ops-console'],
    meaning:
      'for operators: the reads of an operation at the provider, newest first, and what the provider answered late',
  }),
  'int.reconciler.confirm': notice<Confirmation>({
    askedBy: ['operations'],
    meaning: 'confirms the transitions that operations has committed',
  }),
}
