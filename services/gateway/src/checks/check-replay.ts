/** A proof is accepted once, over all replicas. */

import { Problem } from '@financial-agents/contract/problem'
import type { ProofUse } from '@financial-agents/dpop/replay'
import type { Dependencies } from '../dependencies.ts'
import { type Exchange, found } from '../exchange.ts'

export function checkReplay(exchange: Exchange, { proofs }: Pick<Dependencies, 'proofs'>): void | Promise<void> {
  const use = proofs.checkOnce(found(exchange.proof))
  if (use instanceof Promise) return use.then(validate)
  validate(use)
}

function validate(use: ProofUse): void {
  if (use === 'replayed') throw new Problem('invalid_dpop_proof', { detail: 'The DPoP proof was used before.' })
  if (use === 'use_dpop_nonce')
    throw new Problem('use_dpop_nonce', { detail: 'Whether the DPoP proof was used before cannot be told.' })
}
