/** Counts and times the calls of any adapter, by the port's own names. */

import type { Provider } from '@financial-agents/provider-port/port'
import { allReads, type ReadName } from '@financial-agents/provider-port/reads'
import { histogram } from '@financial-agents/runtime/metrics/metrics'

const durations = histogram('financial_agents.provider.call.duration')

/** Every member of the port: a call of the provider, or a member that calls nobody. */
const members = {
  ...(Object.fromEntries(allReads.map(([name]) => [name, 'call'])) as Record<ReadName, 'call'>),
  supports: 'local',
  deadlines: 'local',
  submit: 'call',
  lookup: 'call',
  mayAskApproval: 'local',
  prepareApproval: 'call',
  pollApproval: 'call',
  startCardReveal: 'call',
  startIdentityCheck: 'call',
  startDeviceAuthentication: 'call',
  pollDeviceAuthentication: 'call',
  close: 'local',
} as const satisfies Record<keyof Provider, 'call' | 'local'>

type Member = keyof typeof members
type CallName = { [Name in Member]: (typeof members)[Name] extends 'call' ? Name : never }[Member]
type Call = (request: never) => Promise<{ readonly type: string; readonly reason?: unknown }>

export const memberNames = Object.keys(members) as readonly Member[]

const calls = memberNames.filter((name): name is CallName => members[name] === 'call')

/** A member that the port has and this object lacks; undefined if it has all. */
export function findMissingMember(provider: Partial<Provider>): string | undefined {
  return memberNames.find((name) => provider[name] === undefined)
}

/** The same port with metrics. Each member is called on the adapter's own object, which may be an instance of a class. */
export function measured(provider: Provider): Provider {
  return {
    ...(Object.fromEntries(calls.map((name) => [name, measuredCall(provider, name)])) as Pick<Provider, CallName>),
    deadlines: provider.deadlines,
    supports: (kind) => provider.supports(kind),
    mayAskApproval: (kind) => provider.mayAskApproval(kind),
    close: () => provider.close(),
  }
}

function measuredCall(provider: Provider, call: CallName): Call {
  return async (request) => {
    const startedAt = performance.now()
    let outcome = 'threw'
    try {
      const result = await (provider as Record<CallName, Call>)[call](request)
      // `reason` is one of the port's own codes. Any other answer is named by its type.
      outcome = result.type === 'unavailable' ? String(result.reason) : result.type
      return result
    } finally {
      durations.record((performance.now() - startedAt) / 1_000, { call, outcome })
    }
  }
}
