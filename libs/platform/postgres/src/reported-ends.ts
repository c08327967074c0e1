/**
 * The last lines of a command that ends authority. The command returns after the submitter has confirmed the fences of
 * all ends, or says that it has not (write protocol, rules 8 and 18). The running service sends the fences.
 */

import { setTimeout as delay } from 'node:timers/promises'
import type { Queryable, Statement } from './database.ts'

const patienceMs = 10_000
const pauseMs = 100

/**
 * @param unconfirmed SELECT with one column `count`: the fences that are wanted and not confirmed, also those of earlier
 *   runs
 * @param service the service that sends them
 */
export async function tellEnds(db: Queryable, unconfirmed: Statement, service: string): Promise<string[]> {
  const count = async () => (await db.rows<{ count: number }>(unconfirmed))[0]?.count ?? 0
  if ((await count()) === 0) return []
  const endsAt = performance.now() + patienceMs
  while (performance.now() < endsAt) {
    await delay(pauseMs)
    if ((await count()) === 0) return ['confirmed: nothing more is claimed for sending under what has ended']
  }
  return [
    `not confirmed: what was accepted under what has ended may still be sent. A running ${service} goes on until it is stopped; apply the file again to ask`,
  ]
}
