/** Waits for the fences of a stack. */

import pg from 'pg'
import { expect } from 'vitest'
import type { TestStack } from './stack.test-helper.ts'

/**
 * Waits until the submitter has confirmed every fence that authz wants set or lifted. A client that is declared again
 * may write at once, but the submitter cancels its operations until it has lifted the client's fence.
 */
export async function fencesConfirmed(stack: TestStack): Promise<void> {
  const database = new pg.Client({ connectionString: stack.postgres.adminUrl })
  await database.connect()
  const unconfirmed = async () =>
    (await database.query('SELECT target, target_id FROM authz.fences WHERE confirmed_version < version')).rows
  await expect.poll(unconfirmed, { interval: 50 }).toEqual([])
  await database.end()
}
