/** What the reconciler answers. */

import type { Confirmation, LateAnswer } from '../messages/events.ts'
import type { Review, ReviewsRequest } from '../messages/operator.ts'
import { call, notice } from './row.ts'

export const reconcilerCalls = {
  'int.reconciler.late-answer': call<LateAnswer, null>({
    askedBy: ['submitter'],
    meaning:
      "an answer that lost to the submitter's watchdog. Answered once it is committed; the submitter keeps it until then",
  }),
  'int.reconciler.reviews': call<ReviewsRequest, Review[]>({
    askedBy: ['ops-console'],
    meaning:
      'for operators: the operations that are under review and not settled, newest first; or those among some ids',
  }),
  'int.reconciler.confirm': notice<Confirmation>({
    askedBy: ['operations'],
    meaning: 'the transitions that operations has committed',
  }),
}
