/** The error of a wait. It is never the refusal of a write: the operation exists, and goes on. */

import { because, ClientError } from './client-error.ts'

export function waitFailed(operationId: string, cause: unknown): ClientError {
  return new ClientError(
    'wait_failed',
    `The wait for the operation ${operationId} ended by an error${because(cause)}. The operation goes on: wait again with agent.wait, or read it with agent.operations.get.`,
    { cause, submissionUncertain: true },
  )
}
