import { createLog } from '@financial-agents/runtime/log'
import { expect, test, vi } from 'vitest'
import { createGuard } from './guard.ts'
import { createReadHealth } from './read-health.ts'

const log = createLog({ service: 'test', level: 'silent' })
const answered = async () => ({ type: 'read' })
const unreachable = async () => ({ type: 'unavailable', reason: 'provider_unreachable' })
const timedOut = async () => ({ type: 'unavailable', reason: 'provider_timeout' })
const refused = async () => ({ type: 'unavailable', reason: 'provider_refused' })

function newGuard() {
  const health = createReadHealth()
  const guard = createGuard({ log, readTimeoutMs: 1_000, health })
  const run = (name: string, send: () => Promise<{ type: string }>, leftMs = 1_000) =>
    guard.run({ name, caller: null, leftMs }, send).catch(() => undefined)
  return { health, run }
}

test('reads are counted by provider and kind, and the next figures begin at nothing', async () => {
  const { health, run } = newGuard()
  expect(health.take()).toBeUndefined()
  await run('fake accounts', answered)
  await run('fake accounts', unreachable)
  await run('fake accounts', refused)
  await run('assets', answered)
  expect(health.take()?.reads).toMatchObject([
    { provider: 'fake', read: 'accounts', calls: 3, failed: 1, turned_away: 0 },
    { provider: null, read: 'assets', calls: 1, failed: 0, turned_away: 0 },
  ])
  expect(health.take()).toMatchObject({ reads: [], circuits: [{ state: 'closed' }, { state: 'closed' }] })
})

test('a time-out counts as a failure only if the provider had enough time', async () => {
  const { health, run } = newGuard()
  await run('fake accounts', timedOut, 300)
  await run('fake accounts', timedOut)
  expect(health.take()?.reads).toMatchObject([{ calls: 2, failed: 1 }])
})

test('times are summed, and the longest is kept', () => {
  const health = createReadHealth()
  health.circuit('a b', 'closed')
  health.sent('a b', { failed: false, ms: 10.4 })
  health.sent('a b', { failed: true, ms: 90 })
  expect(health.take()?.reads).toMatchObject([{ calls: 2, failed: 1, total_ms: 100, most_ms: 90 }])
})

test('a circuit that opens and closes says so, and an outage keeps its beginning over failed trials', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    const { health, run } = newGuard()
    const listener = vi.fn<() => void>()
    health.onChange(listener)
    for (let time = 0; time < 5; time += 1) await run('fake accounts', unreachable)
    const since = new Date().toISOString()
    expect(listener).toHaveBeenCalledTimes(1)
    await run('fake accounts', answered)
    expect(health.take()).toMatchObject({
      reads: [{ calls: 5, failed: 5, turned_away: 1 }],
      circuits: [{ provider: 'fake', read: 'accounts', state: 'open', since }],
    })
    vi.setSystemTime(Date.now() + 5_000)
    await run('fake accounts', async () => {
      expect(health.take()?.circuits).toMatchObject([{ state: 'half_open', since }])
      return unreachable()
    })
    expect(health.take()?.circuits).toMatchObject([{ state: 'open', since }])
    expect(listener).toHaveBeenCalledTimes(1)
    vi.setSystemTime(Date.now() + 5_000)
    await run('fake accounts', answered)
    expect(health.take()?.circuits).toMatchObject([{ state: 'closed', since: new Date().toISOString() }])
    expect(listener).toHaveBeenCalledTimes(2)
  } finally {
    vi.useRealTimers()
  }
})
