/** The server in the process of a test, as its command line would start it. */

import { InMemoryTransport, type Transport } from '@modelcontextprotocol/server'
import { serveStdio as serve } from '@modelcontextprotocol/server/stdio'
import { optionsFrom } from './arguments.ts'
import { dependenciesOf, type Times } from './serve-stdio.ts'
import { createServer } from './server.ts'

/**
 * Serves one connection; returns the host's end of it.
 *
 * @throws Error that says which option is wrong
 */
export function serveInProcess(
  argv: readonly string[],
  onerror: (error: Error) => void,
  times?: Partial<Times>,
): Transport {
  const options = optionsFrom(argv, {})
  if (options === undefined) throw new Error('this command line asks only for help')
  const dependencies = dependenciesOf(options, times)
  const ends = InMemoryTransport.createLinkedPair()
  for (const end of ends) {
    const send = end.send.bind(end)
    // A message comes as JSON has it, as from a pipe.
    end.send = (message, more) => send(JSON.parse(JSON.stringify(message)), more)
  }
  serve(() => createServer(dependencies), { transport: ends[1], onerror })
  return ends[0]
}
