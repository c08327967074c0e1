// Free ports on loopback for the servers of the development stack and of the tests. They lie below the ranges from
// which operating systems take ports for outgoing connections (Linux 32768, macOS 49152). So no other program takes a
// server's port while the server is down between a kill and its restart. A process hands out each port once. Test
// workers that run at the same time use separate parts of the range, because a port stays free until its server
// listens.

import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

const FIRST_PORT = 20_000
const LAST_PORT = 32_000
const PARTS = 12
const PART_SIZE = (LAST_PORT - FIRST_PORT) / PARTS
const MAX_TRIES = 200

const given = new Set<number>()

/**
 * The parts of the ports that this process and its children share, as in `9..12`; all parts if the variable is absent.
 * Runs side by side use different parts.
 */
const partsVariable = 'PORT_PARTS'

/**
 * The environment variables that give parts of the ports to each of several programs and their children. All but the
 * first program get one part: only the first one has workers that run at the same time.
 */
export function portsOf(program: number, programs: number): Record<string, string> {
  const shared = PARTS - programs + 1
  return { [partsVariable]: program === 0 ? `0..${shared}` : `${shared + program - 1}..${shared + program}` }
}

/** Returns true if nothing listens on this port of 127.0.0.1 now. */
export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen({ host: '127.0.0.1', port, exclusive: true }, () => probe.close(() => resolve(true)))
  })
}

/** Keeps a port that the user has chosen from {@link getFreePort} of this process. */
export function keepPort(port: number): void {
  given.add(port)
}

/** The part of a program that no test has started, such as one of several sandboxes that start at the same time. */
const randomPart = randomInt(PARTS)

/** Returns this process's part of the ports. Vitest numbers the workers of a run that work at the same time. */
function ownPart(): { from: number; to: number } {
  const { [partsVariable]: parts, VITEST_POOL_ID: worker = parts === undefined ? randomPart : 0 } = process.env
  const [first = 0, end = PARTS] = parts?.split('..').map(Number) ?? []
  const part = first + (Number(worker) % (end - first))
  const from = FIRST_PORT + part * PART_SIZE
  return { from, to: from + PART_SIZE }
}

/**
 * Finds a port of 127.0.0.1 on which nothing listens. This process never returns it again.
 * @throws Error if none was found.
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
