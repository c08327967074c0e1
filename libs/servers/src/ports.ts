// Free ports on loopback for the servers of the development stack and of the tests. They lie below the ranges from which
// operating systems take ports for outgoing connections (Linux 32768, macOS 49152), so that nothing else takes the port of
// a server while it is down between a kill and its restart. A port is given only once per process. Test workers that run side
// by side take theirs from parts of their own, because a port stays free until the server that it was given to listens.

import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

const FIRST_PORT = 20_000
const LAST_PORT = 32_000
const PARTS = 12
const PART_SIZE = (LAST_PORT - FIRST_PORT) / PARTS
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

/** The part of the ports that is this process's: Vitest numbers the workers that run at one time. */
function ownPart(): { from: number; to: number } {
  const from = FIRST_PORT + (Number(process.env['VITEST_POOL_ID'] ?? 0) % PARTS) * PART_SIZE
  return { from, to: from + PART_SIZE }
}

/**
 * A port of 127.0.0.1 on which nothing listens, never given twice by this process.
 * @throws Error when none was found.
 */
export async function getFreePort(): Promise<number> {
  const { from, to } = ownPart()
  for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
    const port = randomInt(from, to)
    if (given.has(port)) continue
    given.add(port)
    if (await isPortFree(port)) return port
    given.delete(port)
  }
  throw new Error(`no free port found on 127.0.0.1 between ${from} and ${to}`)
}
