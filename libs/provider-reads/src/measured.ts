/** Counts and times the calls of any adapter, by the port's own names. */

import type { Provider } from '@financial-agents/provider/port'
import { histogram } from '@financial-agents/runtime/metrics/metrics'

const durations = histogram('financial_agents.provider.call.duration')

/** Members of the port that call nobody. */
const notCalls: ReadonlySet<string> = new Set([
  'supports',
  'deadlines',
  'mayAskApproval',
  'close',
] satisfies (keyof Provider)[])

type Call = (request: never) => Promise<{ readonly type: string; readonly reason?: unknown }>

/** The same port with metrics. */
export function measured(provider: Provider): Provider {
  const members = Object.entries(provider) as [string, Call][]
  return Object.fromEntries(
    members.map(([name, member]) => [name, notCalls.has(name) ? member : measuredCall(name, member)]),
  ) as unknown as Provider
}

function measuredCall(call: string, send: Call): Call {
  return async (request) => {
    const startedAt = performance.now()
    let outcome = 'threw'
    try {
      const result = await send(request)
      // `reason` is one of the port's own codes. Any other answer is named by its type.
      outcome = result.type === 'unavailable' ? String(result.reason) : result.type
      return result
    } finally {
      durations.record((performance.now() - startedAt) / 1_000, { call, outcome })
    }
  }
}
