/**
 * `int.onboarding.finish-sign-in` returns the result of a sign-in, and the same answer for the same id until it
 * expires. The provider is asked outside any transaction and may be asked repeatedly, because it repeats its answer.
 */

import type { Calls } from '@financial-agents/bus/calls'
import type { MessageContext } from '@financial-agents/bus/headers'
import { signInCustomer } from '../sign-in-customer.ts'
import type { SignInParts } from '../sign-in-parts.ts'
import { findSignIn, hashSignInId, recordResult, resultOf, sealingContext } from '../sign-ins-store.ts'

type Finish = Calls['int.onboarding.finish-sign-in']

export function finishSignIn({ db, clock, log, sealer, authentication }: SignInParts) {
  return async (request: Finish['request'], context: MessageContext): Promise<Finish['answer']> => {
    const idHash = hashSignInId(request.sign_in_id)
    const row = await findSignIn(db, idHash)
    if (row === undefined || row.expires_at <= clock.now() || authentication === null) return { type: 'expired' }
    if (row.outcome !== null) return resultOf(row) as Finish['answer']
    const polled = await authentication.provider.pollDeviceAuthentication({
      authentication: sealer.open(row.authentication_sealed, sealingContext(idHash)).toString(),
      timeoutMs: Math.min(authentication.timeoutMs, context.timeoutMs),
    })
    switch (polled.type) {
      case 'approved':
        return signInCustomer({ db, sealer, clock, providerName: authentication.providerName }, idHash, polled)
      case 'declined':
        await recordResult(db, idHash, polled)
        return polled
      case 'unavailable':
        log.warn({ reason: polled.reason }, 'the provider did not say what became of a device authentication')
        return { type: 'unreachable' }
      default:
        return polled
    }
  }
}
