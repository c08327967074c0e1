/**
 * Cache of the provider's answers. Equal queries share one read.
 *
 * Invariant: an answer for a binding is cached for that binding alone, and dropped when its credentials are refused. A failed
 * read is not cached. No caller waits beyond its deadline; the read goes on for the others.
 */

import type { ReadResult } from '@financial-agents/provider-port/port'
import type { Clock } from '@financial-agents/runtime/clock'
import { createExpiringCache } from '@financial-agents/runtime/expiring-cache'
import { within } from './deadlines.ts'
import { toProblem } from './guard.ts'

/** A read, and the lifetime of its answers. */
export type CachedReadOptions<Call, Asked extends readonly unknown[], Data> = {
  /** The kind of read, as for `read`. */
  name: string
  ttlMs: number
  /** Bound over all bindings; the oldest entry is dropped first. */
  maxEntries?: number
  /** `asked` has to survive JSON: it is the key. An error is thrown to every caller that waits, and not cached. */
  send: (call: Call, ...asked: Asked) => Promise<ReadResult<Data>>
}

/** The answers are shared: never change them. */
export type CachedRead<Context, Asked extends readonly unknown[], Data> = {
  /** @throws Problem as `read` or `readPublic` does */
  get(context: Context, ...asked: Asked): Promise<Data>
}

/** The part of a context that bounds the caller's time. */
type Timed = { timeoutMs?: number }

type Options<Context, Asked extends readonly unknown[], Data> = {
  ttlMs: number
  maxEntries?: number
  /** The binding of the answer; empty if the answer is for everybody. @throws Problem if the context has no binding */
  bindingOf: (context: Context) => string
  read: (context: Context, asked: Asked) => Promise<Data>
}

/** The cached answers of a process. */
export type CachedReads = {
  create<Context extends Timed, Asked extends readonly unknown[], Data>(
    options: Options<Context, Asked, Data>,
  ): CachedRead<Context, Asked, Data>
  dropBinding(bindingId: string): void
}

const defaultMaxEntries = 10_000

type CacheContext = { clock: Clock; leftMs: (context: Timed) => number }

/** Starts empty. @param made.leftMs the time that a caller still has */
export function createCachedReads(made: CacheContext): CachedReads {
  const drops: ((prefix: string) => void)[] = []
  return {
    create: (options) => createCachedRead(made, options, drops),
    dropBinding: (bindingId) => {
      for (const drop of drops) drop(`${bindingId} `)
    },
  }
}

function createCachedRead<Context extends Timed, Asked extends readonly unknown[], Data>(
  { clock, leftMs }: CacheContext,
  { ttlMs, maxEntries = defaultMaxEntries, bindingOf, read }: Options<Context, Asked, Data>,
  drops: ((prefix: string) => void)[],
): CachedRead<Context, Asked, Data> {
  const cache = createExpiringCache<Data>({ clock, ttlMs, maxEntries })
  drops.push(cache.dropAll)
  return {
    get: async (context, ...asked) => {
      const kept = cache.get(`${bindingOf(context)} ${JSON.stringify(asked)}`, () => read(context, asked))
      try {
        return await within(leftMs(context), kept)
      } catch (error) {
        throw toProblem(error)
      }
    },
  }
}
