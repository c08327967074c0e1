import { createClock } from '@financial-agents/runtime/clock'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startHealth } from './health.ts'

let health: Awaited<ReturnType<typeof startHealth>>
let url: string
let works = true
const clock = createClock()

beforeEach(async () => {
  works = true
  const checks = { database: () => (works ? Promise.resolve() : Promise.reject(new Error('gone'))) }
  health = await startHealth({ service: 'health-test', host: '127.0.0.1', port: 0, clock, checks: () => checks })
  url = `http://127.0.0.1:${health.port}`
})
afterEach(() => health.close())

const ask = async (path: string, init?: RequestInit) => {
  const response = await fetch(`${url}${path}`, init)
  return { status: response.status, body: await response.json() }
}
const putClock = (body: string) => ask('/clock', { method: 'PUT', body })

test('it is live at once, and ready only when it is said to be and every check resolves', async () => {
  expect(await ask('/live')).toEqual({ status: 200, body: { status: 'ok' } })
  expect(await ask('/ready')).toMatchObject({ status: 503, body: { failing: ['starting or stopping'] } })
  health.setReady(true)
  expect(await ask('/ready?verbose')).toEqual({ status: 200, body: { status: 'ok', failing: [] } })
  works = false
  expect(await ask('/ready')).toEqual({ status: 503, body: { status: 'unavailable', failing: ['database'] } })
  expect(await ask('/live')).toMatchObject({ status: 200 })
})

test('a HEAD request is answered without a body, and any other request with 404', async () => {
  const head = await fetch(`${url}/live`, { method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([200, ''])
  for (const [method, path] of [
    ['GET', '/'],
    ['POST', '/live'],
    ['GET', '/clock'],
    ['GET', '/constructor'],
  ] as const)
    expect(await ask(path, { method }), `${method} ${path}`).toMatchObject({ status: 404 })
})

test('the clock moves by whole milliseconds, and by nothing else', async () => {
  expect(await putClock('{"offset_ms":86400000}')).toMatchObject({ status: 200, body: { now: expect.any(String) } })
  expect(clock.nowMs()).toBeGreaterThan(Date.now() + 80_000_000)
  for (const body of ['', 'no', '{"offset_ms":1.5}', '{"offset_ms":1,"more":1}'])
    expect(await putClock(body), body).toMatchObject({ status: 422 })
})
