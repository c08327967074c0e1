/**
 * All reasons for which a proof is refused. Each has a sentence that may be shown to the client, and that repeats no
 * value of the proof.
 *
 * Invariant: reasons that begin with `nonce_` lead to `use_dpop_nonce`, and the client tries again with the new nonce.
 * All others lead to `invalid_dpop_proof`.
 */

/** The sentence for the client, by the reason of the refusal. */
export const proofRefusals = {
  proof_missing: 'The request has no DPoP proof.',
  proof_malformed: 'The DPoP header is not exactly one compact JWS.',
  proof_too_long: 'The DPoP proof is too long.',
  header_malformed: 'The header of the DPoP proof is not a JSON object.',
  typ_wrong: 'The typ of the DPoP proof is not dpop+jwt.',
  alg_wrong: 'The alg of the DPoP proof is not ES256.',
  crit_unsupported: 'The DPoP proof names critical header extensions.',
  jwk_missing: 'The DPoP proof has no jwk.',
  jwk_private: 'The jwk of the DPoP proof has private members.',
  jwk_invalid: 'The jwk of the DPoP proof is not a P-256 public key for signatures.',
  key_mismatch: 'The access token is bound to another key than that of the DPoP proof.',
  claims_malformed: 'The claims of the DPoP proof are not a JSON object.',
  jti_invalid: 'The jti of the DPoP proof is not a string of 1 to 256 characters.',
  htm_missing: 'The DPoP proof has no htm.',
  htm_mismatch: 'The htm of the DPoP proof is not the method of the request.',
  htu_missing: 'The DPoP proof has no htu.',
  htu_mismatch: 'The htu of the DPoP proof is not the target of the request.',
  iat_invalid: 'The DPoP proof has no iat, or one that is not a number.',
  iat_ahead: 'The iat of the DPoP proof is too far ahead.',
  iat_old: 'The iat of the DPoP proof is too long ago.',
  nbf_invalid: 'The nbf of the DPoP proof is not a number.',
  nbf_ahead: 'The DPoP proof is not valid yet by its nbf.',
  exp_invalid: 'The exp of the DPoP proof is not a number.',
  exp_past: 'The DPoP proof has expired by its exp.',
  ath_missing: 'The DPoP proof has no ath.',
  ath_mismatch: 'The ath of the DPoP proof is not that of the access token.',
  signature_invalid: 'The signature of the DPoP proof does not verify.',
  nonce_missing: 'The DPoP proof has no nonce.',
  nonce_malformed: 'The nonce of the DPoP proof is not one of this server.',
  nonce_forged: 'The nonce of the DPoP proof is not one of this server.',
  nonce_old: 'The nonce of the DPoP proof is too old.',
  nonce_ahead: 'The nonce of the DPoP proof is not valid yet.',
} as const satisfies Record<string, string>

/** The reason of a refusal, as a closed union of codes. */
export type ProofRefusalReason = keyof typeof proofRefusals

/** The reasons that lead to `use_dpop_nonce`. */
export type NonceRefusalReason = Extract<ProofRefusalReason, `nonce_${string}`>
