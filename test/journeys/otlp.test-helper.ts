/** A collector that takes OTLP over HTTP as JSON and keeps the spans. */

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

export async function startCollector() {
  const spans: CollectedSpan[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      if (request.url === '/v1/traces') spans.push(...read(JSON.parse(Buffer.concat(chunks).toString()) as Body))
      response.setHeader('content-type', 'application/json').end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
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
