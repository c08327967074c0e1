/** The period of a list of activity, in UTC as providers are asked. */

import { fieldsProblem } from '@financial-agents/contract/problem'

/** `from` is inclusive, `to` is exclusive. */
export type ActivityPeriod = { from?: string | undefined; to?: string | undefined }

/** @throws Problem validation_failed with the paths `from`, `to` */
export function checkPeriod(asked: ActivityPeriod): ActivityPeriod {
  const from = inUtc(asked.from, 'from')
  const to = inUtc(asked.to, 'to')
  if (from !== undefined && to !== undefined && from > to)
    throw fieldsProblem([{ path: 'to', message: 'Send a moment that is not before from.' }])
  return { from, to }
}

function inUtc(timestamp: string | undefined, path: string): string | undefined {
  if (timestamp === undefined) return undefined
  const time = new Date(timestamp).toISOString()
  // An offset can move a time out of the years that RFC 3339 can express.
  if (!/^\d{4}-/.test(time))
    throw fieldsProblem([{ path, message: 'Send a moment that is within the years 0000 to 9999 in UTC.' }])
  return time
}
