// Free ports on loopback for the servers of the development stack and of the tests. They lie below the ranges from which
// operating systems take ports for outgoing connections (Linux 32768, macOS 49152), so that nothing else takes the port of
// a server while it is down between a kill and its restart. A port is given only once per process.

import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

const FIRST_PORT = 20_000
const LAST_PORT = 32_000
const MAX_TRIES = 200

const given = new Set<number>()

/** Returns true if nothing listens on this port of 127.0.0.1 now. */
export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen({ host: '127.0.0.1', port, exclusive: true }, () => probe.close(() => resolve(true)))
  })
}

/**
 * A port of 127.0.0.1 on which nothing listens, never given twice by this process.
 * @throws Error when none was found.
 */
export async function getFreePort(): Promise<number> {
  for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
    const port = randomInt(FIRST_PORT, LAST_PORT)
    if (given.has(port)) continue
    given.add(port)
    if (await isPortFree(port)) return port
    given.delete(port)
  }
  throw new Error(`no free port found on 127.0.0.1 between ${FIRST_PORT} and ${LAST_PORT}`)
}
