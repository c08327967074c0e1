import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { abortable, after, longestTimerMs, onAbort, sleep } from './sleep.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('a time that no timer can take is waited out', async () => {
  const act = vi.fn()
  after(longestTimerMs + 10, act)
  vi.advanceTimersByTime(longestTimerMs + 9)
  expect(act).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(act).toHaveBeenCalledOnce()
})

test('an endless time never ends, and can be cancelled', () => {
  const act = vi.fn()
  const cancel = after(Number.POSITIVE_INFINITY, act)
  vi.advanceTimersByTime(3 * longestTimerMs)
  expect(act).not.toHaveBeenCalled()
  expect(vi.getTimerCount()).toBe(1)
  cancel()
  expect(vi.getTimerCount()).toBe(0)
})

test('a signal ends an endless sleep with its reason', async () => {
  const abort = new AbortController()
  const sleeping = sleep(Number.POSITIVE_INFINITY, abort.signal)
  const enough = new Error('enough')
  abort.abort(enough)
  await expect(sleeping).rejects.toBe(enough)
  expect(vi.getTimerCount()).toBe(0)
})

test('many waits on one signal share a listener, and each ends by itself or with the signal', async () => {
  const abort = new AbortController()
  const acts = Array.from({ length: 50 }, () => vi.fn())
  const [first, ...others] = acts.map((act) => onAbort(abort.signal, act))
  const waits = acts.map(() => sleep(Number.POSITIVE_INFINITY, abort.signal))
  const works = acts.map(() => abortable(new Promise(() => {}), abort.signal))
  const ended = Promise.allSettled([...waits, ...works])
  expect(getEventListeners(abort.signal, 'abort')).toHaveLength(1)
  first?.()
  abort.abort(new Error('enough'))
  expect(new Set((await ended).map(({ status }) => status))).toEqual(new Set(['rejected']))
  expect(acts.map((act) => act.mock.calls.length)).toEqual([0, ...others.map(() => 1)])
})
