/** The test for a missing answer of another service. */

import { isUnanswered } from '@financial-agents/bus/errors'
import { Problem } from '@financial-agents/contract/problem'

/** Returns true if a call failed because nobody answered. Such a failure says nothing about the request itself. */
export function isOutOfReach(error: unknown): boolean {
  if (error instanceof Problem) return error.code === 'service_unavailable' || error.code === 'provider_unavailable'
  return isUnanswered(error)
}
