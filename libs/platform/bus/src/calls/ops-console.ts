/** The calls that the operators' console answers. */

import type { KeySet, TunnelledRequest, TunnelledResponse } from '../messages/http.ts'
import type { ReadHealthReport } from '../messages/operator.ts'
import { call, notice } from './row.ts'

export const opsConsoleCalls = {
  'rpc.ops-console.keys': call<null, KeySet>({
    askedBy: ['gateway'],
    meaning: "the public JWK Set of operators' tokens",
  }),
  'rpc.ops-console.http': call<TunnelledRequest, TunnelledResponse>({
    askedBy: ['gateway'],
    meaning: 'an HTTP request to `/ops` or below, answered by the application of the console',
  }),
  'int.ops-console.read-health': notice<ReadHealthReport>({
    askedBy: ['beneficiaries', 'cards', 'spending', 'onboarding', 'catalog'],
    meaning:
      "records the figures of a process's reads of the provider since its last report, and the state of its circuits; a report may be lost",
  }),
}
