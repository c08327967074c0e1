/** The calls that the operators' console answers. */

import type { CarriedRequest, CarriedResponse, KeySet } from '../messages/http.ts'
import { call } from './row.ts'

export const opsConsoleCalls = {
  'rpc.ops-console.keys': call<null, KeySet>({
    askedBy: ['gateway'],
    meaning: "the public JWK Set of operators' tokens",
  }),
  'rpc.ops-console.http': call<CarriedRequest, CarriedResponse>({
    askedBy: ['gateway'],
    meaning: 'an HTTP request to `/ops` or below, answered by the application of the console',
  }),
}
