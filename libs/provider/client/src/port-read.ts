/**
 * A read of the port within the bounds of a reader. Its row says in which shape, and for how long an answer is cached. An answer that is
 * not cached serves one caller, within that caller's time.
 *
 * Invariant: an answer is used only if it has the shape of its row and answers the request, whatever the adapter checks.
 */

import type { ReadResult } from '@financial-agents/provider-port/port'
import {
  type ProviderRead,
  type ProviderReads,
  providerReads,
  type ReadAsks,
  type ReadData,
  type ReadName,
} from '@financial-agents/provider-port/reads'
import type { z } from 'zod'
import { checkedAnswer } from './checked-answer.ts'
import type { ProviderReader, PublicReadContext, ReadContext } from './reader.ts'

type Rows = typeof providerReads

/** The members of the request; none if the read has no request. */
type Asked<Name extends ReadName> = Rows[Name]['asks'] extends z.ZodObject ? [asked: ReadAsks<Name>] : []

export type PortRead<Name extends ReadName, Made = ReadData<Name>> = {
  /** @throws Problem as the reader does */
  get(
    context: Rows[Name]['person'] extends true ? ReadContext : PublicReadContext,
    ...asked: Asked<Name>
  ): Promise<Made>
}

type Send = (request: object) => Promise<ReadResult<unknown>>

/** @param make turns a checked answer into the cached value; its errors are thrown to the caller, and not cached */
export function createPortRead<Name extends ReadName, Made = ReadData<Name>>(
  { reader, provider }: { readonly reader: ProviderReader; readonly provider: Pick<ProviderReads, Name> },
  name: Name,
  make: (data: ReadData<Name>) => Made = (data) => data as Made,
): PortRead<Name, Made> {
  const {
    answer: shape,
    findMismatch,
    person,
    cacheMs: ttlMs,
    cacheEntries: maxEntries,
  }: ProviderRead = providerReads[name]
  const send = async (call: object, asked: object = {}): Promise<ReadResult<Made>> => {
    const answer = checkedAnswer(shape, await (provider[name] as Send)({ ...call, ...asked }))
    if (answer.type !== 'ok') return answer
    const reason = findMismatch?.(answer.data, asked as never)
    if (reason !== undefined) return { type: 'contract_broken', reason: `the answer broke the contract: ${reason}` }
    return { type: 'ok', data: make(answer.data as ReadData<Name>) }
  }
  const options = { name, ttlMs, send, ...(maxEntries === undefined ? {} : { maxEntries }) }
  if (!person) return reader.cachedPublic(options)
  if (ttlMs > 0) return reader.cached(options)
  return {
    get: (context: ReadContext, ...asked: Asked<Name>) => reader.read(context, (call) => send(call, ...asked), name),
  }
}
