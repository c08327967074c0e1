/**
 * Pushed authorization requests live five minutes: the library has no setting for it and says one, in the request's own end
 * and in that of the unsigned JWT in which it keeps the parameters. Both are moved as they are stored.
 *
 * A request may be looked at again until its authorization completes; completing it consumes it, once.
 */

import type { Clock } from '@financial-agents/runtime/clock'
import { decodeJwt, type JWTPayload, UnsecuredJWT } from 'jose'
import { type Adapter, errors } from 'oidc-provider'
import type { ArtifactStore } from '../../store/artifacts.ts'
import { pushedRequestTtlS } from '../lifetimes.ts'
import { artifactAdapter, expiryOf } from './artifact.ts'

export function pushedRequestAdapter(store: ArtifactStore, clock: Clock): Adapter {
  return {
    ...artifactAdapter(store, clock, () => new errors.InvalidRequestUri('request_uri was already used')),
    upsert: async (id, payload, expiresInS = 0) => {
      const exp = (payload.exp ?? 0) + pushedRequestTtlS - expiresInS
      const request = prolonged(String(payload['request']), exp)
      await store.record(id, { ...payload, exp, request }, {}, expiryOf(clock, pushedRequestTtlS))
    },
  }
}

function prolonged(request: string, exp: number): string {
  return new UnsecuredJWT({ ...asPushed(decodeJwt(request)), exp }).encode()
}

/** The library reads `max_age=0` as `prompt=login` and keeps it so, which it would not take beside `none` later. */
function asPushed(claims: JWTPayload): JWTPayload {
  return claims['prompt'] === 'none login' ? { ...claims, prompt: 'none', max_age: '0' } : claims
}
