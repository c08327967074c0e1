/**
 * Makes one attempt at a delivery. It validates the address again and returns only the status of the answer. No operation
 * changes by an attempt. Neither the URL nor the signing keys are ever logged.
 */

import type { Deliverable } from './authority.ts'
import type { Dependencies } from './dependencies.ts'
import { post } from './post.ts'
import { signingSecrets } from './secrets.ts'
import { signatureHeaders } from './sign.ts'
import type { SigningKeys } from './signing-keys.ts'

/** Null: no answer in time, or no permitted address. */
export type Answer = { statusCode: number | null }

export type AttemptDependencies = Pick<Dependencies, 'clock' | 'log' | 'secretSealer' | 'targets'> & {
  signingKeys: SigningKeys
  timeoutMs: number
}

/** @throws if the delivery cannot be signed. The receiver is not at fault then, so no attempt is counted. */
export async function attempt(dependencies: AttemptDependencies, delivery: Deliverable): Promise<Answer> {
  const { id, body, subscription } = delivery
  const secrets = signingSecrets(dependencies.secretSealer, subscription, dependencies.clock.now())
  const signal = AbortSignal.timeout(dependencies.timeoutMs)
  try {
    const url = new URL(subscription.url)
    const addresses = await unlessAborted(signal, dependencies.targets.addressesOf(url))
    if (addresses.length === 0) return nothingSent(dependencies, delivery, 'address_refused')
    const keys = { secrets, signingKey: dependencies.signingKeys.current }
    const headers = signatureHeaders({ id, body, at: dependencies.clock.now() }, keys)
    return { statusCode: await post({ url, addresses, headers: { ...headers }, body, signal }) }
  } catch (error) {
    return nothingSent(dependencies, delivery, reasonOf(error))
  }
}

function nothingSent({ log }: AttemptDependencies, { id, subscription }: Deliverable, reason: string): Answer {
  log.debug({ delivery_id: id, subscription_id: subscription.id, reason }, 'a receiver gave no answer')
  return { statusCode: null }
}

/** The code or the name of the error. Its message may quote addresses and contents. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? code : error.name
}

/** @throws the reason of the signal if it aborts first */
export async function unlessAborted<Value>(signal: AbortSignal, work: Promise<Value>): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(signal.reason as Error)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
