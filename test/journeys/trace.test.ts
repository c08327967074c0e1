/** One trace runs from the client's request to the call at the provider. Logs carry the trace's id and no secret. */

import { randomBytes, randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { beneficiaryBody, clientOf, pollUntil, startTestStack, type TestStack } from '../stack.test-helper.ts'
import { startCollector } from './otlp.test-helper.ts'

let collector: Awaited<ReturnType<typeof startCollector>>
let stack: TestStack

beforeAll(async () => {
  collector = await startCollector()
  const telemetry = { ...collector.variables, OTEL_BSP_SCHEDULE_DELAY: '200' }
  stack = await startTestStack({
    environment: { gateway: telemetry, beneficiaries: telemetry, operations: telemetry, submitter: telemetry },
  })
})
afterAll(async () => {
  await stack.close()
  await collector.close()
})

test('a write is one trace through the services, the database, both streams and the provider call', async () => {
  const client = await clientOf(stack, 'ines-agent')
  const traceId = randomBytes(16).toString('hex')
  const created = await client.request('POST', '/v1/beneficiaries', {
    key: randomUUID(),
    body: beneficiaryBody(),
    headers: { traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01` },
  })
  expect(created.status).toBe(202)
  await pollUntil(client, created.body.id, ['succeeded'])

  const ofTrace = () => collector.spans.filter((span) => span.traceId === traceId)
  const services = () => new Set(ofTrace().map((span) => span.service))
  await expect
    .poll(() => [...services()].toSorted(), { timeout: 120_000, interval: 200 })
    .toEqual(expect.arrayContaining(['beneficiaries', 'gateway', 'operations', 'submitter']))
  await expect
    .poll(() => ofTrace().map((span) => `${span.service} ${span.scope}`), { timeout: 120_000, interval: 200 })
    .toEqual(
      expect.arrayContaining([
        'gateway @opentelemetry/instrumentation-http',
        'beneficiaries @opentelemetry/instrumentation-pg',
        'operations @opentelemetry/instrumentation-pg',
        'submitter @opentelemetry/instrumentation-undici',
      ]),
    )
  expect(collector.spans.map((span) => span.attributes).join()).not.toContain('PT5000020123')
})

test('logs are JSON, carry request and trace ids, and hold no token, proof, key or payload', async () => {
  const client = await clientOf(stack, 'ines-agent')
  await client.request('GET', '/v1/operations')
  const folder = join(stack.folder, 'logs')
  const texts = await Promise.all((await readdir(folder)).map((file) => readFile(join(folder, file), 'utf8')))
  const all = texts.join('\n')
  expect(all).not.toContain(client.token())
  expect(all).not.toMatch(/eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/)
  expect(all).not.toContain('PT5000020123')
  expect(all).not.toContain('test-user-ines')
  for (const line of all.split('\n').filter((text) => text !== '')) expect(() => JSON.parse(line), line).not.toThrow()
})
