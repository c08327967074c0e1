/**
 * Resolves names by DNS alone, not by the machine's hosts file or search domains, which name local machines. It does
 * not use the few threads that all users of the machine's resolver share. Resolution always ends within the time-out,
 * even if the name server never answers.
 */

import { Resolver } from 'node:dns/promises'

/** Returns all addresses of a host. The list is empty if it has none or no server answers. */
export type Resolve = (host: string) => Promise<string[]>

/**
 * @param options.patienceMs time-out of a whole look-up, shorter than a client waits for its subscription
 * @param options.servers name servers to use instead of the machine's
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
