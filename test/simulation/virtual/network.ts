/**
 * The virtual broker: requests and replies, notices, and the two streams with their durable consumers. It loses,
 * repeats and delays messages, and so reorders them. A process may be cut off from the broker. The broker may be down,
 * or return with empty streams.
 *
 * Invariant: like the real broker, it guarantees only one thing about messages: a request without a responder is answered
 * so.
 */

import type { RespondOptions } from '@financial-agents/bus/connect'
import { NoResponders, TimedOut } from '@financial-agents/bus/errors'
import type { MessageContext } from '@financial-agents/bus/headers'
import { streamPlans, streamSubjects } from '@financial-agents/bus/streams'
import type { Chance } from './random.ts'
import type { Scheduler, VirtualEvent, VirtualProcess } from './scheduler.ts'

/** Probabilities of faults; all 0 once the faults have ended. */
export type NetworkFaults = {
  lost: number
  repeated: number
  /** The message takes seconds. */
  late: number
  latency: () => number
}

type Responder = { owner: VirtualProcess; queue: string | null; options: RespondOptions; running: number }
type Stored = { subject: string; data: string }
type Out = { message: Stored; deliveries: number; timer: VirtualEvent }
export type Delivery = {
  data: string
  subject: string
  deliveries: number
  settle: (as: 'ack' | 'nak' | 'term' | 'working', afterMs?: number) => void
}
type Asking = { owner: VirtualProcess; room: number; deliver: (delivery: Delivery) => void; end: () => void }
type Durable = {
  stream: string
  filters: readonly string[]
  ackWaitMs: number
  waiting: { message: Stored; deliveries: number }[]
  out: Set<Out>
  asking: Asking[]
}

export type Network = ReturnType<typeof createNetwork>

export function createNetwork(parts: {
  scheduler: Scheduler
  chance: Chance
  faults: NetworkFaults
  trace: (owner: VirtualProcess | null, what: string) => void
}) {
  const { scheduler, chance, faults, trace } = parts
  const responders = new Map<string, Responder[]>()
  const durables = new Map<string, Durable>()
  const state = { down: false, cutOff: new Set<VirtualProcess>(), restarts: 0 }
  for (const { config, consumers } of streamPlans({ replicas: 1 }))
    for (const consumer of consumers)
      durables.set(`${config.name}/${consumer.durable_name ?? ''}`, {
        stream: config.name,
        filters: consumer.filter_subjects ?? [consumer.filter_subject ?? '>'],
        ackWaitMs: Number(consumer.ack_wait) / 1e6,
        waiting: [],
        out: new Set(),
        asking: [],
      })

  const reaches = (owner: VirtualProcess | null) => !state.down && (owner === null || !state.cutOff.has(owner))

  /** Carries a message one way through the broker. The message may be lost, late or repeated. */
  function carry(from: VirtualProcess | null, arrive: () => void, mayRepeat: boolean): void {
    if (!reaches(from) || chance.happens(faults.lost)) return
    const delay = () => faults.latency() + (chance.happens(faults.late) ? chance.between(100, 8_000) : 0)
    const { restarts } = state
    const arriveNow = () => state.restarts === restarts && arrive()
    scheduler.after(delay(), null, arriveNow)
    if (mayRepeat && chance.happens(faults.repeated)) scheduler.after(delay(), null, arriveNow)
  }

  /** Chooses one responder of each queue group, and every responder without a group. */
  function chosen(subject: string): Responder[] {
    const groups = Map.groupBy(
      (responders.get(subject) ?? []).filter(({ owner }) => owner.alive && reaches(owner)),
      ({ queue }) => queue,
    )
    return [...groups].flatMap(([queue, members]) => (queue === null ? members : [chance.pick(members)]))
  }

  function request(from: VirtualProcess, subject: string, data: string, context: MessageContext): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      const patience = scheduler.after(context.timeoutMs, from, () => reject(new TimedOut(subject)))
      const answer = (run: () => void) =>
        carry(
          null,
          () => {
            if (!reaches(from)) return
            scheduler.after(0, from, () => {
              scheduler.cancel(patience)
              run()
            })
          },
          false,
        )
      carry(
        from,
        () => {
          const found = chosen(subject)
          if (found.length === 0) return answer(() => reject(new NoResponders()))
          for (const responder of found)
            hand(responder, data, context, (reply) =>
              carry(responder.owner, () => answer(() => resolve(Buffer.from(reply))), false),
            )
        },
        true,
      )
    })
  }

  function hand(responder: Responder, data: string, context: MessageContext, reply: (text: string) => void): void {
    const { owner, options } = responder
    scheduler.after(0, owner, () => {
      if (responder.running >= options.maxInFlight) return reply(options.busy)
      responder.running += 1
      void options
        .handler(data, context)
        .then(reply)
        .catch(options.onError)
        .finally(() => {
          responder.running -= 1
        })
    })
  }

  function publish(from: VirtualProcess, subject: string, data: string): void {
    const stream = streamSubjects.find(([, prefix]) => subject.startsWith(prefix))?.[0]
    if (stream) return carry(from, () => append(stream, { subject, data }), true)
    carry(
      from,
      () => {
        const context: MessageContext = { requestId: 'notice', traceparent: '', timeoutMs: 0 }
        for (const responder of chosen(subject)) hand(responder, data, context, () => {})
      },
      true,
    )
  }

  function append(stream: string, message: Stored): void {
    trace(null, `stored ${message.subject}`)
    for (const durable of durables.values())
      if (durable.stream === stream && durable.filters.some((filter) => matches(filter, message.subject))) {
        durable.waiting.push({ message, deliveries: 0 })
        serve(durable)
      }
  }

  function serve(durable: Durable): void {
    while (durable.waiting.length > 0) {
      durable.asking = durable.asking.filter(({ owner, room }) => owner.alive && room > 0)
      const reachable = durable.asking.filter(({ owner }) => reaches(owner))
      if (reachable.length === 0) return
      const asking = chance.pick(reachable)
      const [next] = durable.waiting.splice(
        chance.happens(faults.late) ? chance.whole(0, durable.waiting.length - 1) : 0,
        1,
      )
      if (!next) return
      asking.room -= 1
      deliver(durable, asking, next.message, next.deliveries + 1)
    }
  }

  function deliver(durable: Durable, asking: Asking, message: Stored, deliveries: number): void {
    const again = (afterMs: number) => {
      durable.out.delete(out)
      scheduler.cancel(out.timer)
      scheduler.after(afterMs, null, () => {
        durable.waiting.push({ message, deliveries })
        serve(durable)
      })
    }
    const patience = () => scheduler.after(durable.ackWaitMs, null, () => again(0))
    const out: Out = { message, deliveries, timer: patience() }
    durable.out.add(out)
    const settle: Delivery['settle'] = (as, afterMs = 0) =>
      carry(
        asking.owner,
        () => {
          if (!durable.out.has(out)) return
          scheduler.cancel(out.timer)
          if (as === 'working') out.timer = patience()
          else if (as === 'nak') again(afterMs)
          else durable.out.delete(out)
        },
        false,
      )
    // A filled request ends with its last message.
    const last = asking.room === 0
    carry(
      null,
      () => {
        if (!reaches(asking.owner)) return
        scheduler.after(0, asking.owner, () => {
          asking.deliver({ data: message.data, subject: message.subject, deliveries, settle })
          if (last) asking.end()
        })
      },
      false,
    )
  }

  return {
    request,
    publish,
    respond: (owner: VirtualProcess, subject: string, queue: string | null, options: RespondOptions) => {
      const known = responders.get(subject) ?? []
      responders.set(subject, [...known, { owner, queue, options, running: 0 }])
    },
    /** Makes a pull request on a durable consumer. The request ends by itself when it is filled. */
    ask: (owner: VirtualProcess, stream: string, name: string, asking: Omit<Asking, 'owner'>) => {
      const durable = durables.get(`${stream}/${name}`)
      if (!durable) throw new Error(`no durable ${name} on ${stream}`)
      const entry = { ...asking, owner }
      durable.asking.push(entry)
      serve(durable)
      return () => {
        durable.asking = durable.asking.filter((one) => one !== entry)
      }
    },
    reaches,
    cutOff: (owner: VirtualProcess) => state.cutOff.add(owner),
    rejoin: (owner: VirtualProcess) => {
      state.cutOff.delete(owner)
      for (const durable of durables.values()) serve(durable)
    },
    setDown: (down: boolean) => {
      state.down = down
      if (!down) for (const durable of durables.values()) serve(durable)
    },
    /** Stops the broker: every message under way is lost. */
    restart: () => {
      state.restarts += 1
    },
    /** Empties the streams. */
    wipe: () => {
      for (const durable of durables.values()) {
        for (const out of durable.out) scheduler.cancel(out.timer)
        durable.waiting.length = 0
        durable.out.clear()
      }
    },
    forget: (owner: VirtualProcess) => {
      state.cutOff.delete(owner)
      for (const [subject, known] of responders)
        responders.set(
          subject,
          known.filter((one) => one.owner !== owner),
        )
    },
    /** The messages that are waiting or delivered but not acknowledged; for the traces and the payload invariant. */
    messages: (): string[] =>
      [...durables.values()].flatMap((durable) => [
        ...durable.waiting.map(({ message }) => message.data),
        ...[...durable.out].map(({ message }) => message.data),
      ]),
  }
}

function matches(filter: string, subject: string): boolean {
  return filter === subject || (filter.endsWith('>') && subject.startsWith(filter.slice(0, -1)))
}
