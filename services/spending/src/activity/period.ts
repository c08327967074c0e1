/** The period that a list of activity is asked for, in the one form in which providers are asked. */

import { fieldsProblem } from '@financial-agents/contract/problem'

export type Period = { from: string | undefined; to: string | undefined }

/** `from` is the first moment, `to` the first that is out again. @throws Problem validation_failed */
export function checkedPeriod(asked: { from?: string | undefined; to?: string | undefined }): Period {
  const period = { from: inUtc(asked.from, 'from'), to: inUtc(asked.to, 'to') }
  if (period.from !== undefined && period.to !== undefined && period.from > period.to)
    throw fieldsProblem([{ path: 'to', message: 'Send a moment that is not before from.' }])
  return period
}

function inUtc(moment: string | undefined, path: string): string | undefined {
  if (moment === undefined) return undefined
  const time = new Date(moment).toISOString()
  // An offset can lead out of the years that RFC 3339 can write.
  if (!/^\d{4}-/.test(time))
    throw fieldsProblem([{ path, message: 'Send a moment that is within the years 0000 to 9999 in UTC.' }])
  return time
}
