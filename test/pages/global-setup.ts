/**
 * One stack for the whole folder, started when the first test file asks for it, and a small server through which a test
 * stops and starts services and moves their clocks. Without a Chromium nothing is started.
 */

import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connectBus } from '@financial-agents/bus/connect'
import { createLog } from '@financial-agents/runtime/log'
import { launchChromium } from '@financial-agents/servers/chromium'
import { say } from '@financial-agents/servers/say'
import { keepSite } from '@financial-agents/testkit/keep-site'
import { type Offer, offerOnDemand, type Shared } from '@financial-agents/testkit/on-demand'
import type { ServiceName } from '@financial-agents/testkit/stack-services'
import type { TestProject } from 'vitest/node'
import { startTestStack, type TestStack } from '../stack.test-helper.ts'
import type { Environment } from './environment.ts'

export default async function setup(project: TestProject): Promise<Offer['stop']> {
  const { url, stop } = await offerOnDemand(startShared)
  project.provide('pagesStack', url)
  return stop
}

async function startShared(): Promise<Shared<Environment>> {
  say('starting the stack of test/pages')
  const { browser, missing } = await launchChromium({ log: say })
  await browser?.close()
  if (missing !== undefined) {
    const description = { missing, baseUrl: '', providerUrl: '', clients: [], controlUrl: '' }
    return { description, stop: async () => {} }
  }
  const environment = { gateway: { DOCUMENTATION_FOLDER: await keepSite({ log: say }) } }
  const stack = await startTestStack({ enabledCapabilities: ['transfers.execute'], environment })
  const control = await serveControl(stack)
  const { baseUrl, providerUrl, clients } = stack
  return {
    description: { missing, baseUrl, providerUrl, clients, controlUrl: control.url },
    stop: async () => {
      control.close()
      await stack.close()
    },
  }
}

export type Order =
  | { do: 'stop'; service: ServiceName }
  | { do: 'start'; service: ServiceName; environment?: Record<string, string> }
  | { do: 'move-clock'; services: ServiceName[]; offsetMs: number }
  /** Publishes as the submitter: an entry of the witness or an event, each as JSON. */
  | { do: 'publish'; subject: string; value: unknown }

async function carryOut(stack: TestStack, order: Order): Promise<void> {
  if (order.do === 'stop') await stack.stopService(order.service)
  else if (order.do === 'start') await startUnlessRunning(stack, order)
  else if (order.do === 'publish') await publish(stack, order)
  else await stack.moveClock(order.services, order.offsetMs)
}

async function publish({ nats }: TestStack, { subject, value }: Order & { do: 'publish' }): Promise<void> {
  const config = { NATS_URL: nats.server.url, NATS_NKEY_SEED: nats.seeds.submitter }
  const bus = await connectBus({ config, name: 'submitter', log: createLog({ service: 'test', level: 'silent' }) })
  await bus.jetstream().publish(subject, JSON.stringify(value))
  await bus.drain()
}

async function startUnlessRunning(stack: TestStack, { service, environment }: Order & { do: 'start' }): Promise<void> {
  if (stack.processes.get(service)?.length) return
  await stack.start(service, environment, { together: true })
}

async function serveControl(stack: TestStack): Promise<{ url: string; close: () => void }> {
  const server = createServer((request, response) => {
    void readOrder(request)
      .then((order) => carryOut(stack, order))
      .then(
        () => response.writeHead(204).end(),
        (error: unknown) => response.writeHead(500).end(String(error)),
      )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function readOrder(request: IncomingMessage): Promise<Order> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString()) as Order
}
