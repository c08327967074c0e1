/**
 * The bundles of all services, alone in a read-only folder: each program, its content, and all of them together as the
 * system.
 */

import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { findServices } from '@financial-agents/deploy/images/bundle-services'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startCollector } from '../journeys/otlp.test-helper.ts'
import { beneficiaryBody, clientOf, pollUntil, startTestStack, type TestStack } from '../stack.test-helper.ts'
import { documentationPage, type MadeBundles, makeBundles, version } from './bundles.test-helper.ts'

let made: MadeBundles
beforeAll(async () => {
  made = await makeBundles()
})
afterAll(() => made.remove())

test.each(await findServices())(
  '%s: the program answers without a configuration, and refuses what it does not know',
  async (service) => {
    const [said, help, refused] = await Promise.all(
      ['--version', '--help', 'dance'].map((arg) => made.run(service, arg)),
    )
    expect(said).toEqual({ code: 0, stdout: `${service} ${version}\n`, stderr: '' })
    expect(help).toMatchObject({ code: 0, stderr: '' })
    expect(help?.stdout).toMatch(/\n {2}LOG_LEVEL +default info/)
    const line = new RegExp(`^${service}: unknown command dance; it takes serve(, [a-z-]+)*\\n$`)
    expect(refused).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(line) })
  },
)

type Bill = {
  bomFormat: string
  metadata: { component: { name: string; version: string } }
  components: { name: string; group?: string; version: string; purl: string; licenses?: unknown[] }[]
}

test('the bill of materials of each names every package that is in it, with version and licence', async () => {
  for (const service of made.programs) {
    const folder = join(made.folder, service)
    const bill = JSON.parse(await readFile(join(folder, 'sbom.cdx.json'), 'utf8')) as Bill
    expect(bill).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: service, version } } })
    const named = Object.fromEntries(
      bill.components.map((part) => [[part.group, part.name].filter(Boolean).join('/'), part]),
    )
    const shipped = (await readdir(join(folder, 'node_modules'))).filter((name) => !name.startsWith('@'))
    for (const name of [...shipped, 'zod', '@opentelemetry/sdk-node']) expect(named, service).toHaveProperty([name])
    for (const part of bill.components) {
      expect(part.purl).toMatch(/^pkg:npm\/[^@]+@\d+\.\d+/)
      expect(part.licenses, part.purl).toHaveLength(1)
    }
  }
})

describe('the system made of them, read by nobody but itself, with telemetry on', () => {
  let collector: Awaited<ReturnType<typeof startCollector>>
  let stack: TestStack

  beforeAll(async () => {
    collector = await startCollector()
    const telemetry = {
      ...collector.variables,
      OTEL_BSP_SCHEDULE_DELAY: '200',
    }
    // Migrations, clients and bindings are commands of the same bundles.
    stack = await startTestStack({ processes: true, bundles: made.bundles, environment: { all: telemetry } })
  })
  afterAll(async () => {
    await stack.close()
    await collector.close()
  })

  test('a write succeeds, and http, pg, provider calls and our own spans are of its trace', async () => {
    const client = await clientOf(stack, 'ines-agent')
    const traceId = randomBytes(16).toString('hex')
    const created = await client.request('POST', '/v1/beneficiaries', {
      key: randomUUID(),
      body: beneficiaryBody(),
      headers: { traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01` },
    })
    expect(created.status).toBe(202)
    await pollUntil(client, created.body.id, ['succeeded'])
    const found = () =>
      collector.spans.filter((span) => span.traceId === traceId).map((span) => `${span.service} ${span.scope}`)
    await expect
      .poll(found)
      .toEqual(
        expect.arrayContaining([
          'gateway @opentelemetry/instrumentation-http',
          'gateway financial-agents',
          'beneficiaries @opentelemetry/instrumentation-pg',
          'operations @opentelemetry/instrumentation-pg',
          'submitter @opentelemetry/instrumentation-undici',
        ]),
      )
  })

  test('a line of the log has the ids of the span in which it was written', async () => {
    const traceId = randomBytes(16).toString('hex')
    const headers = { traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01` }
    expect((await fetch(`${stack.baseUrl}/v1/operations`, { headers })).status).toBe(401)
    const logged = async () => {
      const lines = (await readFile(join(stack.folder, 'logs/gateway.log'), 'utf8')).split('\n')
      return lines.filter((line) => line.includes(traceId)).map((line) => JSON.parse(line) as Record<string, unknown>)
    }
    await expect.poll(logged).toContainEqual(
      expect.objectContaining({
        msg: 'refused',
        trace_id: traceId,
        span_id: expect.stringMatching(/^[0-9a-f]{16}$/),
      }),
    )
  })

  test('what Node says of itself is among the metrics, beside our own', async () => {
    const [running] = stack.processes.get('operations') ?? []
    const text = await (await fetch(`${running?.healthUrl}/metrics`)).text()
    const names = [...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name)
    expect(names).toContainEqual(expect.stringMatching(/^v8js_memory_heap_used/))
    expect(names).toContainEqual(expect.stringMatching(/^nodejs_eventloop_/))
    expect(names).toContainEqual(expect.stringMatching(/^financial_agents_operations_/))
  })

  test('metrics reach a collector that takes OTLP over gRPC alone', async () => {
    const asked: unknown[] = []
    const grpc = createServer().on('stream', (stream, headers) => {
      asked.push(headers[':path'])
      stream.respond({ ':status': 200, 'content-type': 'application/grpc', 'grpc-status': '0' }, { endStream: true })
    })
    await new Promise<void>((resolve) => grpc.listen(0, '127.0.0.1', resolve))
    const { port } = grpc.address() as AddressInfo
    const { child } = await stack.start('submitter', {
      OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_METRIC_EXPORT_INTERVAL: '200',
      OTEL_METRIC_EXPORT_TIMEOUT: '200',
    })
    await expect.poll(() => asked).toContain('/opentelemetry.proto.collector.metrics.v1.MetricsService/Export')
    await child.stop()
    grpc.close()
  })

  test('the gateway serves its documentation, and the console the script of its pages', async () => {
    expect(await (await fetch(`${stack.baseUrl}/docs/`)).text()).toBe(documentationPage)
    const script = await readFile(join(made.folder, 'ops-console/refresh.client.js'), 'utf8')
    const hash = createHash('sha256').update(script).digest('base64url').slice(0, 16)
    const answer = await fetch(`${stack.baseUrl}/ops/assets/refresh.${hash}.js`)
    expect(answer.status).toBe(200)
    expect(await answer.text()).toBe(script)
  })

  test('every command of authz that an operator calls works', async () => {
    await stack.runCommand('authz', 'list-clients', ['--json'])
    await stack.runCommand('authz', 'keys', ['list'])
    await expect(stack.runCommand('authz', 'keys', ['drop'])).rejects.toThrow(/exit code 2.*say what to do/)
  })

  test('smoke says that the gateway is right, and of another one what is wrong with it', async () => {
    // It waits 10 s for an answer: on a busy machine it may have to be asked again.
    const smoke = (url: string, baseUrl: string) =>
      stack.runCommand('gateway', 'smoke', [url], { PUBLIC_BASE_URL: baseUrl }).then(
        () => 'right',
        (error: unknown) => String(error),
      )
    await expect.poll(() => smoke(stack.baseUrl, stack.baseUrl)).toBe('right')
    const others = [
      [stack.baseUrl, 'https://another.example', /exit code 1.*gateway smoke: issuer of \/v1\/metadata is/],
      [stack.identityProviderUrl, stack.baseUrl, /exit code 1.*gateway smoke: \/v1\/health/],
      ['http://127.0.0.1:1', stack.baseUrl, /exit code 1.*gateway smoke: \/v1\/health did not answer/],
    ] as const
    for (const [url, baseUrl, why] of others) await expect.poll(() => smoke(url, baseUrl)).toMatch(why)
  })

  test('where the tests are root, none of them is', async () => {
    for (const [name, running] of stack.processes)
      for (const { child } of running) {
        const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '')
        if (status === '' || !made.bundles.user) return
        expect(status, name).toMatch(/^Uid:\t65532\t65532\t65532\t65532$/m)
        expect(status, name).toMatch(/^CapEff:\t0+$/m)
      }
  })
})
