/** A recovery waits while an operation that may have been sent is dated in the future. */

import { createFrozenClock } from '@financial-agents/runtime/clock'
import { expect, test } from 'vitest'
import { createInstance, hourMs, newId, newRequest, openTestOperations } from '../operations.test-helper.ts'
import { findOperationAhead } from './recover.ts'

test('an operation whose id and acceptance are dated in the future, and no other, makes a recovery wait', async () => {
  const tables = await openTestOperations()
  try {
    const db = tables.open()
    const clock = createFrozenClock()
    const { accept } = createInstance(db, { clock })
    const ahead = clock.nowMs() + 3 * hourMs
    await accept(newRequest())
    await accept(newRequest({ operation_id: newId(ahead) }))
    expect(await findOperationAhead(db, clock)).toBeUndefined()
    clock.setOffsetMs(3 * hourMs)
    await accept(newRequest({ operation_id: newId(ahead) }))
    clock.setOffsetMs(0)
    expect(await findOperationAhead(db, clock)).toContain(new Date(ahead).toISOString())
    clock.setOffsetMs(3 * hourMs)
    expect(await findOperationAhead(db, clock)).toBeUndefined()
  } finally {
    await tables.close()
  }
})
