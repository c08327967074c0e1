/**
 * Device authentications: one for each client reference, decided at most once, by a person on the hosted page or by a
 * script. Expiry is validated by the provider's clock when an authentication is read; there are no timers.
 *
 * Invariant: the page's token finds the page and nothing else. The result, including credentials, is found only by the
 * authentication's own reference, which the browser never sees.
 */

import { randomBytes } from 'node:crypto'
import type { Clock } from '@financial-agents/runtime/clock'
import type { TestUser } from './test-users.ts'

export type Decision = { readonly type: 'approved'; readonly testUser: TestUser } | { readonly type: 'declined' }

export type DeviceAuthentication = {
  readonly ref: string
  readonly token: string
  readonly clientReference: string
  readonly returnUrl: string
  readonly expiresAtMs: number
  decision: Decision | undefined
}

export type DeviceAuthentications = {
  /** An equal reference returns the same authentication. Undefined if it has another return URL. */
  start(request: {
    clientReference: string
    returnUrl: string
    script?: 'expire' | 'decline'
  }): DeviceAuthentication | undefined
  find(ref: string): DeviceAuthentication | undefined
  findByToken(token: string): DeviceAuthentication | undefined
  status(authentication: DeviceAuthentication): 'pending' | 'approved' | 'declined' | 'expired'
  /** False if the authentication was decided before or has expired. */
  decide(authentication: DeviceAuthentication, decision: Decision): boolean
}

const lifetimeMs = 10 * 60_000
/** The time after its end for which an authentication is remembered. */
const rememberedMs = 60 * 60_000

export function createDeviceAuthentications(clock: Clock): DeviceAuthentications {
  const byReference = new Map<string, DeviceAuthentication>()
  const byRef = new Map<string, DeviceAuthentication>()
  const byToken = new Map<string, DeviceAuthentication>()

  const forgetOld = (): void => {
    for (const old of byReference.values()) {
      if (clock.nowMs() < old.expiresAtMs + rememberedMs) continue
      byReference.delete(old.clientReference)
      byRef.delete(old.ref)
      byToken.delete(old.token)
    }
  }
  const status: DeviceAuthentications['status'] = ({ decision, expiresAtMs }) =>
    decision?.type ?? (clock.nowMs() < expiresAtMs ? 'pending' : 'expired')

  return {
    start({ clientReference, returnUrl, script }) {
      const known = byReference.get(clientReference)
      if (known !== undefined) return known.returnUrl === returnUrl ? known : undefined
      forgetOld()
      const authentication: DeviceAuthentication = {
        ref: `dva_${randomBytes(32).toString('base64url')}`,
        token: randomBytes(32).toString('base64url'),
        clientReference,
        returnUrl,
        expiresAtMs: clock.nowMs() + (script === 'expire' ? 0 : lifetimeMs),
        decision: script === 'decline' ? { type: 'declined' } : undefined,
      }
      byReference.set(clientReference, authentication)
      byRef.set(authentication.ref, authentication)
      byToken.set(authentication.token, authentication)
      return authentication
    },
    find: (ref) => byRef.get(ref),
    findByToken: (token) => byToken.get(token),
    status,
    decide(authentication, decision) {
      if (status(authentication) !== 'pending') return false
      authentication.decision = decision
      return true
    },
  }
}
