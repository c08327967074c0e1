/** A collector that receives OTLP over HTTP as JSON. It keeps the spans and the names of metrics. */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type CollectedSpan = {
  service: string
  scope: string
  name: string
  traceId: string
  spanId: string
  parentSpanId: string | undefined
  attributes: string
}

type Attribute = { key: string; value: Record<string, unknown> }
type Body = {
  resourceSpans?: {
    resource: { attributes: Attribute[] }
    scopeSpans: {
      scope: { name: string }
      spans: { name: string; traceId: string; spanId: string; parentSpanId?: string; attributes?: Attribute[] }[]
    }[]
  }[]
}

type MetricsBody = {
  resourceMetrics?: {
    resource: { attributes: Attribute[] }
    scopeMetrics: { metrics: { name: string }[] }[]
  }[]
}

export async function startCollector() {
  const spans: CollectedSpan[] = []
  /** `<service> <name>` of every received metric. */
  const metrics = new Set<string>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      if (request.url === '/v1/traces') spans.push(...read(JSON.parse(body) as Body))
      if (request.url === '/v1/metrics') for (const name of namesOf(JSON.parse(body) as MetricsBody)) metrics.add(name)
      response.setHeader('content-type', 'application/json').end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    /** Variables that make a process send to this collector. */
    variables: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    },
    spans,
    metrics,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function namesOf({ resourceMetrics = [] }: MetricsBody): string[] {
  return resourceMetrics.flatMap(({ resource, scopeMetrics }) => {
    const service = resource.attributes.find((attribute) => attribute.key === 'service.name')
    return scopeMetrics.flatMap(({ metrics }) =>
      metrics.map(({ name }) => `${String(service?.value.stringValue)} ${name}`),
    )
  })
}

function read(body: Body): CollectedSpan[] {
  return (body.resourceSpans ?? []).flatMap(({ resource, scopeSpans }) => {
    const name = resource.attributes.find((attribute) => attribute.key === 'service.name')
    return scopeSpans.flatMap(({ scope, spans }) =>
      spans.map((span) => ({
        service: String(name?.value.stringValue),
        scope: scope.name,
        name: span.name,
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId,
        attributes: JSON.stringify(span.attributes ?? []),
      })),
    )
  })
}
