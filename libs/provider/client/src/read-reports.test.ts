import { createLog } from '@financial-agents/runtime/log'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createReadHealth } from './read-health.ts'
import { startReadReports } from './read-reports.ts'

const log = createLog({ service: 'test', level: 'silent' })
const published: { subject: string; notice: Record<string, unknown> }[] = []
const bus = {
  publish: (subject: string, data: string) => void published.push({ subject, notice: JSON.parse(data) }),
} as unknown as Parameters<typeof startReadReports>[0]['bus']

beforeEach(() => {
  published.length = 0
  vi.useFakeTimers()
})
afterEach(() => vi.useRealTimers())

test('a process that has read nothing reports nothing', async () => {
  const reports = startReadReports({ bus, log, health: createReadHealth() })
  await vi.advanceTimersByTimeAsync(180_000)
  expect(published).toEqual([])
  await reports.stop()
})

test('figures are sent once, a minute apart, under one reporter; circuits are sent each time', async () => {
  const health = createReadHealth()
  const reports = startReadReports({ bus, log, health })
  health.circuit('fake accounts', 'closed')
  health.sent('fake accounts', { failed: true, ms: 40 })
  health.sent('fake accounts', { failed: false, ms: 20 })
  health.turnedAway('assets')
  await vi.advanceTimersByTimeAsync(120_000)
  expect(published.map(({ subject }) => subject)).toEqual([
    'int.ops-console.read-health',
    'int.ops-console.read-health',
  ])
  const [first, second] = published.map(({ notice }) => notice)
  expect(first).toMatchObject({
    reads: [
      { provider: 'fake', read: 'accounts', calls: 2, failed: 1, turned_away: 0, total_ms: 60, most_ms: 40 },
      { provider: null, read: 'assets', calls: 0, failed: 0, turned_away: 1 },
    ],
    circuits: [{ provider: 'fake', read: 'accounts', state: 'closed' }],
  })
  expect(second).toMatchObject({ reporter: first?.['reporter'], reads: [], circuits: [{ state: 'closed' }] })
  await reports.stop()
})

test('a circuit that opens is reported at once, and two processes are two reporters', async () => {
  const [one, other] = [createReadHealth(), createReadHealth()]
  const started = [one, other].map((health) => startReadReports({ bus, log, health }))
  for (const health of [one, other]) health.circuit('fake accounts', 'closed')
  await vi.advanceTimersByTimeAsync(1_000)
  for (const health of [one, other]) health.circuit('fake accounts', 'open')
  await vi.advanceTimersByTimeAsync(1)
  expect(published).toMatchObject([1, 2].map(() => ({ notice: { circuits: [{ state: 'open' }] } })))
  expect(new Set(published.map(({ notice }) => notice['reporter'])).size).toBe(2)
  await Promise.all(started.map((reports) => reports.stop()))
})
