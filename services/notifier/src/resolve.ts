/**
 * Names to addresses by DNS alone: not by the machine's own list of hosts nor its search domains, which name what is near, and
 * without the few threads that the machine's resolver would share among all.
 */

import { Resolver } from 'node:dns/promises'

/** All addresses of a host; none where it has none or nobody answers. */
export type Resolve = (host: string) => Promise<string[]>

export function createResolve(): Resolve {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  return async (host) => {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  }
}
