/**
 * Claims the assertion and the proof of a token request in one statement. The library asks for them one after the
 * other. The first question comes after the assertion's signature was verified, and claims both.
 *
 * Invariant: at most one question about an id, in all requests and processes, is answered with `true`. The ids of assertions and of
 * proofs are apart, so that one id may be in both. A request whose client is authenticated uses its proof up, even if it is
 * refused later.
 */

import { createHash } from 'node:crypto'
import { decodeJwt } from 'jose'
import { type Adapter, type KoaContextWithOIDC, Provider } from 'oidc-provider'
import { paths } from './paths.ts'

type Claimed = { id: string; unique: Promise<boolean> }

export function claimReplays(provider: Provider, adapter: Adapter): void {
  const proofs = new WeakMap<KoaContextWithOIDC, Claimed>()
  const asserted = new WeakSet<KoaContextWithOIDC>()
  const model = provider.ReplayDetection as unknown as { unique: (issuer: string, jti: string) => Promise<boolean> }
  const claim = async (id: string) => (await adapter.find(id)) === undefined
  const claimAhead = (id: string): Claimed => {
    const unique = claim(id)
    // If the request is refused before the library checks the proof, nothing awaits this promise.
    unique.catch(() => {})
    return { id, unique }
  }
  model.unique = (issuer, jti) => {
    const ctx = Provider.ctx
    // The library authenticates the client first, and asks once about its assertion.
    if (ctx?.oidc.params?.['client_assertion'] !== undefined && !asserted.has(ctx)) {
      asserted.add(ctx)
      const unique = claim(useId('assertion', issuer, jti))
      const ahead = findProofId(ctx, issuer)
      if (ahead !== undefined) proofs.set(ctx, claimAhead(ahead))
      return unique
    }
    const id = useId('proof', issuer, jti)
    const known = ctx && proofs.get(ctx)
    if (!ctx || known?.id !== id) return claim(id)
    proofs.delete(ctx)
    return known.unique
  }
}

function useId(of: 'assertion' | 'proof', issuer: string, jti: string): string {
  return createHash('sha256')
    .update(JSON.stringify([of, issuer, jti]))
    .digest('base64url')
}

/** Returns the id of a token request's proof. Undefined for another request and for a malformed proof. */
function findProofId(ctx: KoaContextWithOIDC, clientId: string): string | undefined {
  if (ctx.path !== paths.token) return undefined
  try {
    const { jti } = decodeJwt(ctx.get('dpop'))
    return typeof jti === 'string' && jti !== '' ? useId('proof', clientId, jti) : undefined
  } catch {
    return undefined
  }
}
