/** Requests that the owner declined on a page. An equal one within a day is answered here, and opens no second page. */

import { ApiProblem, type Store } from '@financial-agents/client'
import { type Answer, answer } from './answer.ts'
import { causesOf } from './causes.ts'
import { declined, problemOf } from './outcome-of-error.ts'

const keptMs = 24 * 3_600_000

type Decline = { atMs: number; problem: Answer['problem'] }

/** The terms of a request to the owner. Equal terms are the same request, in whatever order. */
export type Terms = Readonly<Record<string, unknown>>

/** The answer to a request that the owner has declined; undefined if the owner has not. */
export async function findDeclined(store: Store, terms: Terms, nowMs: number): Promise<Answer | undefined> {
  const found = (await store.get(await pathOf(terms))) as Decline | undefined
  if (!found?.problem || Math.abs(nowMs - found.atMs) >= keptMs) return undefined
  return answer('refused', { ...declined, problem: found.problem })
}

/** Keeps that the owner declined, if that is the error. */
export async function keepDeclined(store: Store, terms: Terms, error: unknown, nowMs: number): Promise<void> {
  const refusal = causesOf(error).find((cause) => cause instanceof ApiProblem && cause.code === 'confirmation_declined')
  if (refusal instanceof ApiProblem) await store.set(await pathOf(terms), { atMs: nowMs, problem: problemOf(refusal) })
}

const pathOf = async (terms: Terms) => `declined/${await digestOf(terms)}`

/** SHA-256 of the terms, hexadecimal. */
export async function digestOf(terms: Terms): Promise<string> {
  const written = JSON.stringify(terms, Object.keys(terms).toSorted())
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(written)))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
