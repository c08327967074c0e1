/**
 * `int.onboarding.finish-sign-in`: what became of a sign-in. The same answer again for the same id until it expires. What
 * the provider says is asked outside any transaction, and as often as it takes: it says the same again.
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
