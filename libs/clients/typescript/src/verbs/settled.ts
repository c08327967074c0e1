/** The step from an operation to its resource, for verbs whose result is used by further calls. */

import type { CallOptions, TrackedOperation } from '../call-options.ts'
import { ClientError } from '../client-error.ts'
import type { Outcome } from '../outcome.ts'
import { sleep } from '../sleep.ts'
import { uncertainly } from '../uncertain.ts'

/** A verb's write has not succeeded (yet). */
export class NotSettledError extends ClientError {
  override readonly name = 'NotSettledError'
  /** The state of the operation. Only `failed` and `cancelled` are final. */
  readonly outcome: Outcome

  constructor(subject: string, outcome: Outcome) {
    const isOver = outcome.status === 'failed' || outcome.status === 'cancelled'
    const why = outcome.operation.failure_detail ?? outcome.operation.failure_code
    const advice = isOver ? 'A new attempt needs a new intent.' : 'Call again with the same intent to go on waiting.'
    super('not_settled', `${subject}: ${outcome.status}${why === null ? '' : ` (${why})`}. ${advice}`, {
      submissionUncertain: outcome.status === 'indeterminate',
    })
    this.outcome = outcome
  }
}

/**
 * Reads a resource until it is no longer pending. A resource shows the end of its operation a moment later. An error of
 * the read is marked as uncertain: the write has succeeded.
 */
export async function shown<Resource extends { state: string }>(
  read: (options: CallOptions) => Promise<Resource>,
  inTime: () => CallOptions,
): Promise<Resource> {
  const { signal } = inTime()
  for (let pauseMs = 50; ; pauseMs = Math.min(1_000, pauseMs * 2)) {
    const resource = await uncertainly(
      read(inTime()),
      'The write has succeeded: call again with the same intent.',
      signal,
    )
    if (resource.state !== 'pending') return resource
    await sleep(Math.min(pauseMs, inTime().timeoutMs || pauseMs), signal)
  }
}

/** Waits for success; returns the resource's id. @throws NotSettledError */
export async function settled(
  operation: TrackedOperation,
  { signal, timeoutMs }: CallOptions,
  subject: string,
): Promise<string> {
  const outcome = await operation.wait({ ...(signal && { signal }), ...(timeoutMs === undefined ? {} : { timeoutMs }) })
  if (outcome.status !== 'succeeded') throw new NotSettledError(subject, outcome)
  return outcome.resourceId
}
