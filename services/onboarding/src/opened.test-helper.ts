/** A schema for the test file alone, a sealer, a clock, and owners that no other test uses. */

import { randomBytes, randomUUID } from 'node:crypto'
import { createTestDatabase } from '@financial-agents/postgres/testing/database'
import { createClock } from '@financial-agents/runtime/clock'
import { createSealer } from '@financial-agents/runtime/sealing'
import type { RegisteredBinding } from './bindings-file.ts'
import { migrations } from './migrations.ts'

export async function openTestParts() {
  const database = await createTestDatabase({ service: 'onboarding', migrations })
  const open = () => database.open(8)
  return {
    db: open(),
    /** Opens another pool on the same schema, as another replica has. */
    open,
    sealer: createSealer([{ id: 'test', key: randomBytes(32) }]),
    clock: createClock(),
    close: () => database.close(),
  }
}

export function declare(changes: Partial<RegisteredBinding> = {}): RegisteredBinding {
  return {
    owner_id: randomUUID(),
    provider: 'fake',
    display_name: null,
    customer_reference: null,
    credentials: 'test-user-one',
    ...changes,
  }
}
