/** What gateways answer each other. */

import { call } from './row.ts'

type ProofQuestion = { replay_key: string; nonce_issued_at_ms: number }

export const gatewayCalls = {
  'edge.proof.*': call<ProofQuestion, { verdict: 'fresh' | 'replayed' | 'refused' }>({
    askedBy: ['gateway'],
    everyReplica: true,
    meaning:
      '`edge.proof.<boot id>`: whether a proof is used for the first time; answered by the one process that issued its nonce',
  }),
}
