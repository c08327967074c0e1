/**
 * The fixture of the proof tests: a key, a token, a request, and a verifier with a clock that tests set. `forge` signs
 * any header and claims with the key, valid or not.
 */

import { createPublicKey, generateKeyPairSync, hash, sign } from 'node:crypto'
import { createProofMaker } from '../make-proof.ts'
import { createBootId, createNonces } from '../nonce.ts'
import { createProofVerifier, type ProofRequest } from '../proof.ts'

/** Members that a test changes in a valid proof. */
export type Members = Record<string, unknown>

/** Creates a key, a verifier, and functions that make valid and invalid proofs. */
export function createProofFixture() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const clock = { nowMs: 1_800_000_000_000 }
  const nowMs = () => clock.nowMs
  const nonces = createNonces({ key: Buffer.alloc(32, 7), bootId: createBootId(), nowMs })
  const maker = createProofMaker(privateKey)
  const target = { method: 'POST', url: 'https://api.example/v1/beneficiaries', accessToken: 'an.access.token' }
  const header: Members = { typ: 'dpop+jwt', alg: 'ES256', jwk: maker.publicJwk }
  const verifier = createProofVerifier({ nowMs, nonces })

  /** The claims of a valid proof for the target, at the clock's time. */
  function goodClaims(): Members {
    return {
      jti: 'a-proof-id',
      htm: target.method,
      htu: target.url,
      iat: clock.nowMs / 1000,
      ath: hash('sha256', target.accessToken, 'base64url'),
      nonce: nonces.current(),
    }
  }

  /** Signs a proof with the given changes; members set to undefined are left out. */
  function forge(headerChanges: Members = {}, claimChanges: Members = {}): string {
    return signSegments(
      segment(JSON.stringify({ ...header, ...headerChanges })),
      segment(JSON.stringify({ ...goodClaims(), ...claimChanges })),
    )
  }

  function signSegments(headerSegment: string, payloadSegment: string): string {
    const signed = `${headerSegment}.${payloadSegment}`
    const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' })
    return `${signed}.${signature.toString('base64url')}`
  }

  /** Verifies a proof against the target, with or without changes to the target. */
  function validate(proof: string | undefined, changes: Partial<ProofRequest> = {}) {
    return verifier.verify({ ...target, jkt: maker.jkt, proof, ...changes })
  }

  return {
    clock,
    forge,
    goodClaims,
    header,
    jkt: maker.jkt,
    validate,
    maker,
    nonces,
    nowMs,
    privateKey,
    publicKey: createPublicKey(privateKey),
    signSegments,
    target,
  }
}

/** The base64url form of a text. */
export function segment(text: string): string {
  return Buffer.from(text).toString('base64url')
}
