/**
 * Names to addresses by DNS alone: not by the machine's own list of hosts nor its search domains, which name what is near, and
 * without the few threads that the machine's resolver would share among all. Over in time, whoever answers for the name.
 */

import { Resolver } from 'node:dns/promises'

/** All addresses of a host; none where it has none or nobody answers. */
export type Resolve = (host: string) => Promise<string[]>

/**
 * @param options.patienceMs for a whole look-up: shorter than a client waits for its subscription
 * @param options.servers in place of the machine's
 */
export function createResolve(options: { patienceMs?: number; servers?: readonly string[] } = {}): Resolve {
  return async (host) => {
    const resolver = new Resolver({ timeout: 1_000, tries: 3 })
    if (options.servers) resolver.setServers(options.servers)
    const giveUp = setTimeout(() => resolver.cancel(), options.patienceMs ?? 3_000)
    try {
      const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
      return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    } finally {
      clearTimeout(giveUp)
    }
  }
}
