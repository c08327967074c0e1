/** Runs the cases of one client over the one fake API. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { id } from './answers.ts'
import { type Case, casesOf, type Step } from './cases.ts'
import type { Client } from './client.ts'
import { type FakeApi, startFakeApi } from './fake-api.ts'

/** Declares a test for each case. The client may be started later than the tests are declared. */
export function runCases({ name, acts }: Pick<Client, 'name' | 'acts'>, client: () => Client): void {
  let api: FakeApi
  beforeAll(async () => {
    api = await startFakeApi()
  })
  afterAll(() => api?.close())

  describe(name, () => {
    test.each(casesOf({ name, acts }))('$name', async ({ steps, retryForMs = 0, isExpired = false }: Case) => {
      const script = api.begin()
      const session = await client().start({ origin: api.origin, retryForMs, isExpired })
      for (const step of steps) {
        const seen = script.requests.length
        await api.expect(step.answers ?? [], step.tokens ?? [])
        const { do: act = 'pay', amount = '9.90', timeoutMs = 0 } = step
        const ended = await session.do({ do: act, amount, operation: id(1), timeoutMs })
        const about = `${script.requests.join(', ')}: ${ended.code} ${ended.message}`
        expect({ ...ended, faults: script.faults, left: api.left() }, about).toMatchObject({
          is: step.but?.[name] ?? step.is,
          ...expectedOf(step, name),
          faults: [],
          left: [],
        })
        if (step.requests) expect(script.requests.slice(seen)).toEqual(step.requests)
        if (step.tokenRequests !== undefined) expect(script.tokenRequests).toBe(step.tokenRequests)
        if (step.year !== undefined) expect(new Date(script.provedAtMs).getUTCFullYear()).toBe(step.year)
      }
      expect(script.keys.size).toBeLessThanOrEqual(1)
    })
  })
}

/** The answer that the client owes its caller. The MCP server names the problem that matters most, in words of its own. */
function expectedOf({ operation, code, cause, says }: Step, name: Client['name']) {
  const words = says?.[name]
  return {
    ...(operation !== undefined && { operation }),
    ...(code !== undefined && name !== 'mcp' && { code: code instanceof RegExp ? expect.stringMatching(code) : code }),
    ...(cause !== undefined && (name === 'typescript' || name === 'python') && { cause }),
    ...(words && { message: expect.stringMatching(words) }),
  }
}
