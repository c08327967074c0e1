/** The calls that the submitter answers. */

import type { FenceRequest, FenceResponse, StoppedRequest, UnfenceRequest } from '../messages/authority.ts'
import type { Confirmation } from '../messages/events.ts'
import type { Ends, Recovered, WitnessReport } from '../messages/witness.ts'
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
  'int.submitter.witness': call<null, WitnessReport>({
    askedBy: ['provisioner', 'ops-console'],
    meaning: 'why nothing is sent, if the database is not proven to be the newest',
  }),
  'int.submitter.set-ends': call<Ends, Ends>({
    askedBy: ['provisioner'],
    meaning: 'sets the fences of the given ends of authority that the database has lost, and answers them. Idempotent',
  }),
  'int.submitter.recover': call<null, Recovered>({
    askedBy: ['provisioner'],
    meaning: 'sets a recovery point, proves the database anew after a loss, and opens. Idempotent',
  }),
  // The replica that claimed a batch keeps in memory what is confirmed of it.
  'int.submitter.confirm': notice<Confirmation>({
    askedBy: ['operations', 'reconciler'],
    everyReplica: true,
    meaning: 'confirms the events that the sender has committed',
  }),
}
