/** `Bus` of libs/platform/bus for one virtual process. The real `call`, `serveCall`, `serveRoutes` and `consume` run on it. */

import type { Bus } from '@financial-agents/bus/connect'
import type { Delivery, Network } from './network.ts'
import type { VirtualRegisters } from './registers.ts'
import type { Scheduler, VirtualProcess } from './scheduler.ts'

export function openVirtualBus(
  network: Network,
  registers: VirtualRegisters,
  scheduler: Scheduler,
  owner: VirtualProcess,
  name: string,
): Bus {
  const text = (data: string | Uint8Array) => (typeof data === 'string' ? data : Buffer.from(data).toString())
  const bus = {
    name,
    request: (subject: string, data: string | Uint8Array, context: Parameters<Bus['request']>[2]) =>
      network.request(owner, subject, text(data), context),
    respond: (subject: string, queue: string | null, options: Parameters<Bus['respond']>[2]) =>
      network.respond(owner, subject, queue, options),
    publish: (subject: string, data: string | Uint8Array) => network.publish(owner, subject, text(data)),
    // Notices between the other services wake up work that its background job does too.
    hear: (subject: string, listener: Parameters<Bus['hear']>[1]) => {
      if (subject.startsWith('witness.')) registers.hear(owner, subject, listener)
    },
    registers: registers.registersOf(owner),
    watch: () => {},
    jetstream: () => ({
      consumers: {
        get: async (stream: string, durable: string) => ({
          fetch: async (options: { max_messages: number; expires: number }) =>
            fetchMessages(network, scheduler, owner, { stream, durable, ...options }),
        }),
      },
    }),
    connection: { isClosed: () => false },
    check: () => (network.reaches(owner) ? Promise.resolve() : Promise.reject(new Error('the bus is away'))),
    answers: () => Promise.resolve(network.reaches(owner)),
    drain: () => Promise.resolve(),
  }
  return bus as unknown as Bus
}

/** One pull request: yields messages as they arrive, until the request is filled or expires. */
function fetchMessages(
  network: Network,
  scheduler: Scheduler,
  owner: VirtualProcess,
  request: { stream: string; durable: string; max_messages: number; expires: number },
) {
  const arrived: unknown[] = []
  let ended = false
  let wake: (() => void) | null = null
  const go = () => {
    wake?.()
    wake = null
  }
  const end = () => {
    ended = true
    withdraw()
    scheduler.cancel(expiry)
    go()
  }
  const expiry = scheduler.after(request.expires, owner, end)
  const withdraw = network.ask(owner, request.stream, request.durable, {
    room: request.max_messages,
    deliver: (delivery) => {
      arrived.push(messageOf(delivery))
      go()
    },
    end,
  })
  return {
    stop: end,
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const next = arrived.shift()
        if (next !== undefined) yield next
        else if (ended) return
        else await new Promise<void>((resolve) => (wake = resolve))
      }
    },
  }
}

function messageOf({ data, subject, deliveries, settle }: Delivery) {
  return {
    subject,
    data: Buffer.from(data),
    json: () => JSON.parse(data) as unknown,
    info: { deliveryCount: deliveries },
    ack: () => settle('ack'),
    nak: (afterMs?: number) => settle('nak', afterMs),
    term: () => settle('term'),
    working: () => settle('working'),
  }
}
