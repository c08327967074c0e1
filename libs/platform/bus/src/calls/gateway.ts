/** The calls that gateways answer each other. */

import { call } from './row.ts'

type ProofQuestion = { replay_key: string; nonce_issued_at_ms: number }

export const gatewayCalls = {
  'edge.proof.*': call<ProofQuestion, { result: 'fresh' | 'replayed' | 'refused' }>({
    askedBy: ['gateway'],
    everyReplica: true,
    meaning:
      '`edge.proof.<boot id>`: checks if a proof is used for the first time; only the process that issued its nonce answers',
  }),
}
