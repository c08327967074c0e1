/** The period that a list of activity is asked for, in the one form in which providers are asked: UTC. */

import { fieldsProblem } from '@financial-agents/contract/problem'

/** `from` is the first moment, `to` the first that is out again. */
export type ActivityPeriod = { from?: string | undefined; to?: string | undefined }

/** @throws Problem validation_failed with the paths `from`, `to` */
export function checkPeriod(asked: ActivityPeriod): ActivityPeriod {
  const from = inUtc(asked.from, 'from')
  const to = inUtc(asked.to, 'to')
  if (from !== undefined && to !== undefined && from > to)
    throw fieldsProblem([{ path: 'to', message: 'Send a moment that is not before from.' }])
  return { from, to }
}

function inUtc(moment: string | undefined, path: string): string | undefined {
  if (moment === undefined) return undefined
  const time = new Date(moment).toISOString()
  // An offset can lead out of the years that RFC 3339 can write.
  if (!/^\d{4}-/.test(time))
    throw fieldsProblem([{ path, message: 'Send a moment that is within the years 0000 to 9999 in UTC.' }])
  return time
}
