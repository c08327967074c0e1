/** A proof is good once, whichever replica it is sent to. */

import { Problem } from '@financial-agents/contract/problem'
import { type Exchange, found } from '../exchange.ts'
import type { Parts } from '../parts.ts'

export async function checkReplay(exchange: Exchange, { proofs }: Pick<Parts, 'proofs'>): Promise<void> {
  const use = await proofs.checkOnce(found(exchange.proof))
  if (use === 'replayed') throw new Problem('invalid_dpop_proof', { detail: 'The DPoP proof was used before.' })
  if (use === 'use_dpop_nonce')
    throw new Problem('use_dpop_nonce', { detail: 'Whether the DPoP proof was used before cannot be told.' })
}
