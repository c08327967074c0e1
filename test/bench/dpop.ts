/**
 * Measures the cost of a DPoP check relative to its one ES256 verification: the time of a full `verify` of a new proof
 * by a known key, divided by the time of a bare node:crypto verification of the same signatures. Both are measured in
 * turns in the same run.
 *
 * Invariant: each proof is verified once and has a jti of its own, as in production.
 */

import { createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'
import { createProofMaker } from '@financial-agents/dpop/make-proof'
import { createBootId, createNonces } from '@financial-agents/dpop/nonce'
import { createProofVerifier } from '@financial-agents/dpop/proof'

export interface DpopBench {
  /** Microseconds of one full check. */
  checkUs: number
  /** Microseconds of one bare ES256 verification. */
  verificationUs: number
  /** `checkUs` divided by `verificationUs`. */
  ratio: number
}

const proofsPerRound = 500

/** Measures CPU time; takes about two seconds with the default number of rounds. */
export function benchDpop(rounds = 9): DpopBench {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const publicKey = createPublicKey(privateKey)
  const nowMs = Date.now
  const nonces = createNonces({ key: Buffer.alloc(32, 1), bootId: createBootId(), nowMs })
  const verifier = createProofVerifier({ nowMs, nonces })
  const maker = createProofMaker(privateKey)
  const accessToken = `header.${'x'.repeat(600)}.signature`
  const target = { method: 'GET', url: 'https://api.example/v1/operations', accessToken }

  const ratios: DpopBench[] = []
  for (let round = 0; round < rounds; round++) {
    const proofs = Array.from({ length: proofsPerRound }, () => maker.makeProof({ ...target, nonce: nonces.current() }))
    const signed = proofs.map((proof) => {
      const data = Buffer.from(proof.slice(0, proof.lastIndexOf('.')))
      return { data, signature: sign('sha256', data, privateKey) }
    })
    const verificationUs = microsecondsEach(signed, ({ data, signature }) =>
      verify('sha256', data, publicKey, signature),
    )
    const checkUs = microsecondsEach(proofs, (proof) => verifier.verify({ ...target, proof, jkt: maker.jkt }).ok)
    ratios.push({ checkUs, verificationUs, ratio: checkUs / verificationUs })
  }
  return ratios.toSorted((one, other) => one.ratio - other.ratio)[Math.floor(rounds / 2)] as DpopBench
}

function microsecondsEach<T>(items: readonly T[], isGood: (item: T) => boolean): number {
  const before = process.cpuUsage()
  for (const item of items) {
    if (!isGood(item)) throw new Error('a good proof was refused')
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / items.length
}

if (import.meta.main) {
  const { checkUs, verificationUs, ratio } = benchDpop()
  const figures = `${checkUs.toFixed(1)} µs, ES256 verification ${verificationUs.toFixed(1)} µs, ratio ${ratio.toFixed(2)}`
  process.stdout.write(`DPoP check ${figures}\n`)
}
