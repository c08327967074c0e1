/**
 * `int.onboarding.start-sign-in` asks the provider for a device authentication and stores the sealed reference that
 * asks for its result. After a crash in between, the provider holds an authentication that expires unused, because
 * nobody knows its address.
 */

import { randomBytes } from 'node:crypto'
import type { Calls } from '@financial-agents/bus/calls'
import type { MessageContext } from '@financial-agents/bus/headers'
import { failpoint } from '@financial-agents/runtime/failpoint'
import type { SignInDependencies } from '../sign-in-dependencies.ts'
import { hashSignInId, recordStarted, sealingContext } from '../sign-ins-store.ts'

type Start = Calls['int.onboarding.start-sign-in']

export function startSignIn({ db, clock, log, sealer, authentication }: SignInDependencies) {
  return async (request: Start['request'], context: MessageContext): Promise<Start['answer']> => {
    if (authentication === null) return { type: 'not_available' }
    const started = await authentication.provider.startDeviceAuthentication({
      returnUrl: request.return_url,
      reference: randomBytes(32).toString('base64url'),
      timeoutMs: Math.min(authentication.timeoutMs, context.timeoutMs),
    })
    if (started.type === 'unavailable') {
      log.warn({ reason: started.reason }, 'the provider started no device authentication')
      return { type: 'unreachable' }
    }
    failpoint('sign_in.after_start')
    const sign_in_id = randomBytes(32).toString('base64url')
    const idHash = hashSignInId(sign_in_id)
    await recordStarted(db, {
      idHash,
      provider: authentication.providerName,
      authenticationSealed: sealer.seal(Buffer.from(started.authentication), sealingContext(idHash)),
      now: clock.now(),
      expiresAt: started.expiresAt,
    })
    return { type: 'started', sign_in_id, url: started.hostedUrl, expires_at: started.expiresAt.toISOString() }
  }
}
