/**
 * Pushed authorization requests live five minutes. The library has no setting for that and writes its own lifetime into
 * the request and into the unsigned JWT that holds the parameters. Both are changed when they are stored.
 *
 * A request may be read repeatedly until its authorization completes. Completion consumes it, once.
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

/** The library turns `max_age=0` into `prompt=login` and stores that, but later refuses it together with `none`. */
function asPushed(claims: JWTPayload): JWTPayload {
  return claims['prompt'] === 'none login' ? { ...claims, prompt: 'none', max_age: '0' } : claims
}
