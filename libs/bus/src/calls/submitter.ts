/** What the submitter answers. */

import type { FenceRequest, FenceResponse, UnfenceRequest } from '../messages/authority.ts'
import type { Confirmation } from '../messages/events.ts'
import { call, notice } from './row.ts'

export const submitterCalls = {
  // A replica that stands still stays in its queue group; a fence must not wait for it.
  'int.submitter.fence': call<FenceRequest, FenceResponse>({
    askedBy: ['authz', 'beneficiaries', 'onboarding'],
    everyReplica: true,
    meaning: 'writes the fence, then names the operations whose attempts are open. Repeating it changes nothing',
  }),
  'int.submitter.unfence': call<UnfenceRequest, null>({
    askedBy: ['authz', 'beneficiaries', 'onboarding'],
    everyReplica: true,
    meaning: 'removes the fence, unless a newer request has set it',
  }),
  'int.submitter.confirm': notice<Confirmation>({
    askedBy: ['operations', 'reconciler'],
    meaning: 'the events that the sender has committed',
  }),
}
