import { expect, test } from 'vitest'
import { createLog } from './log.ts'
import { repeat } from './repeat.ts'

const log = createLog({ service: 'test', level: 'silent' })

test('woken work runs without its pause, and once more if it was running', async () => {
  const finish: (() => void)[] = []
  const work = () => new Promise<void>((resolve) => finish.push(resolve))
  const job = repeat({ name: 'test', pauseMs: 3_600_000, log, work })
  const runs = (count: number) => expect.poll(() => finish.length).toBe(count)
  await runs(1)
  job.wake()
  finish[0]?.()
  await runs(2)
  finish[1]?.()
  await new Promise(setImmediate)
  job.wake()
  await runs(3)
  finish[2]?.()
  await job.stop()
  expect(finish).toHaveLength(3)
})
