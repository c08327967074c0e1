/**
 * `int.onboarding.finish-sign-in` returns the result of a sign-in, and the same answer for the same id until it
 * expires. The provider is asked outside any transaction and may be asked repeatedly, because it repeats its answer.
 *
 * A response of an OpenID provider has a code that can be used once. Only one caller asks with the response; the others
 * wait for the result.
 */

import { setTimeout as delay } from 'node:timers/promises'
import type { Calls } from '@financial-agents/bus/calls'
import type { MessageContext } from '@financial-agents/bus/headers'
import { signInCustomer } from '../sign-in-customer.ts'
import type { DeviceAuthentication, SignInDependencies } from '../sign-in-dependencies.ts'
import {
  claimResponse,
  findSignIn,
  hashSignInId,
  recordResult,
  releaseResponse,
  responseContext,
  resultOf,
  type SignIn,
  sealingContext,
} from '../sign-ins-store.ts'

type Finish = Calls['int.onboarding.finish-sign-in']
type Open = Extract<SignIn, { outcome: null }>

/** The pause between two looks for the result, while another caller asks the provider. */
const waitMs = 50

export function finishSignIn(dependencies: SignInDependencies) {
  const { db, clock, authentication } = dependencies
  return async (request: Finish['request'], context: MessageContext): Promise<Finish['answer']> => {
    const idHash = hashSignInId(request.sign_in_id)
    if (authentication === null) return { type: 'expired' }
    const timeoutMs = Math.min(authentication.timeoutMs, context.timeoutMs)
    const endMs = performance.now() + timeoutMs
    for (;;) {
      const row = await findSignIn(db, idHash)
      if (row === undefined || row.expires_at <= clock.now()) return { type: 'expired' }
      if (row.outcome !== null) return resultOf(row) as Finish['answer']
      if (row.response_sealed === null && request.response === undefined)
        return ask(dependencies, authentication, { idHash, row, timeoutMs })
      const answer = await askWithResponse(dependencies, authentication, { idHash, row }, request.response)
      if (answer !== undefined) return answer
      if (performance.now() + waitMs >= endMs) return { type: 'pending' }
      await delay(waitMs)
    }
  }
}

type Poll = { idHash: Buffer; row: Open; timeoutMs: number; response?: string }

/**
 * Returns undefined if another caller asks, or if there is a result. The provider gets its whole time-out, even if the
 * caller has less time: an exchange that is given up would use up the code. A later call gets the result.
 */
async function askWithResponse(
  dependencies: SignInDependencies,
  authentication: DeviceAuthentication,
  asked: Pick<Poll, 'idHash' | 'row'>,
  given: string | undefined,
): Promise<Finish['answer'] | undefined> {
  const { db, clock, sealer } = dependencies
  const { timeoutMs } = authentication
  const { idHash, row } = asked
  const sealed = row.response_sealed ?? sealer.seal(Buffer.from(given ?? ''), responseContext(idHash))
  const now = clock.now()
  // Twice the time-out of the call, so a claim expires only if its process has ended.
  const until = new Date(now.getTime() + 2 * timeoutMs)
  const claimed = await claimResponse(db, idHash, { responseSealed: sealed, until, now })
  if (claimed === undefined) return undefined
  const response = sealer.open(claimed, responseContext(idHash)).toString()
  try {
    return await ask(dependencies, authentication, { ...asked, timeoutMs, response })
  } finally {
    await releaseResponse(db, idHash, until)
  }
}

async function ask(
  { db, clock, log, sealer }: SignInDependencies,
  { provider, providerName }: DeviceAuthentication,
  { idHash, row, timeoutMs, response }: Poll,
): Promise<Finish['answer']> {
  const polled = await provider.pollDeviceAuthentication({
    authentication: sealer.open(row.authentication_sealed, sealingContext(idHash)).toString(),
    timeoutMs,
    response,
  })
  switch (polled.type) {
    case 'approved':
      return signInCustomer({ db, sealer, clock, providerName }, idHash, polled)
    case 'refused':
      log.warn(
        { reason: polled.reason },
        'a browser came back with a response that is not the provider’s to its sign-in',
      )
      await recordResult(db, idHash, { type: 'refused' })
      return { type: 'refused' }
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
