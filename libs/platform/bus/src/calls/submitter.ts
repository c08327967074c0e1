/** The calls that the submitter answers. */

import type { FenceRequest, FenceResponse, StoppedRequest, UnfenceRequest } from '../messages/authority.ts'
import type { Confirmation } from '../messages/events.ts'
import { call, notice } from './row.ts'

export const submitterCalls = {
  // A frozen replica stays in its queue group. A fence goes to every replica, so that it never waits for a frozen one.
  'int.submitter.fence': call<FenceRequest, FenceResponse>({
    askedBy: ['authz', 'beneficiaries', 'onboarding'],
    everyReplica: true,
    meaning: 'writes a fence, then names the operations whose attempts are open. Idempotent',
  }),
  'int.submitter.unfence': call<UnfenceRequest, null>({
    askedBy: ['authz'],
    everyReplica: true,
    meaning: 'removes a fence, unless a newer request has set it',
  }),
  'int.submitter.stopped': call<StoppedRequest, string[]>({
    askedBy: ['operations'],
    everyReplica: true,
    meaning: 'the ids of the given operations that a fence stops now; writes nothing',
  }),
  // The replica that claimed a batch keeps in memory what is confirmed of it.
  'int.submitter.confirm': notice<Confirmation>({
    askedBy: ['operations', 'reconciler'],
    everyReplica: true,
    meaning: 'confirms the events that the sender has committed',
  }),
}
