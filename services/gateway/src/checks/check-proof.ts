/** The request has one DPoP proof for exactly this request, made with the token's key and one of our nonces. */

import { Problem } from '@financial-agents/contract/problem'
import { proofRefusals } from '@financial-agents/dpop/refusals'
import { normaliseTargetUri } from '@financial-agents/dpop/target-uri'
import type { Dependencies } from '../dependencies.ts'
import { type Exchange, found } from '../exchange.ts'

export function checkProof(exchange: Exchange, { baseUrl, proofs }: Pick<Dependencies, 'baseUrl' | 'proofs'>): void {
  const { headers } = exchange
  if (headers.repeated.includes('dpop'))
    throw new Problem('invalid_dpop_proof', { detail: 'The request has more than one DPoP header.' })
  const token = found(exchange.token ?? exchange.operatorToken)
  const result = proofs.verifier.verify({
    proof: headers.dpop,
    method: exchange.method,
    // The public address, never the Host header. A target without a normal form matches no htu.
    url: normaliseTargetUri(baseUrl + exchange.path) ?? '',
    accessToken: found(exchange.presentedToken),
    ath: token.ath,
    jkt: token.jkt,
  })
  if (!result.ok) throw new Problem(result.error, { detail: proofRefusals[result.reason] })
  exchange.proof = result
}
