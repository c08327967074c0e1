/** One HTTP exchange, exactly as given: nothing is followed, retried or added. Every secret in it is noted. */

import { setTimeout as delay } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { note, noteForm, noteHeaders, noteJson } from './secrets.ts'

export type HeaderList = [name: string, value: string][]

export type Answer = {
  status: number
  headers: Headers
  text: string
  // oxlint-disable-next-line typescript/no-explicit-any -- what a client reads from the wire has no type of ours
  body: Record<string, any>
}

const agent = new Agent({ connections: 64, keepAliveTimeout: 4_000, bodyTimeout: 60_000, headersTimeout: 60_000 })

export async function exchange(
  url: string,
  method: string,
  headers: HeaderList = [],
  body?: string | Buffer,
): Promise<Answer> {
  noteHeaders(headers)
  if (URL.canParse(url)) noteForm(new URL(url).searchParams)
  if (typeof body === 'string' && isForm(headers)) noteForm(new URLSearchParams(body))
  const options = { method: method as 'GET', headers: headers.flat(), dispatcher: agent }
  const response = await request(url, body === undefined ? options : { ...options, body })
  const text = await response.body.text()
  const received = new Headers()
  for (const [name, values] of Object.entries(response.headers))
    for (const value of [values ?? []].flat()) received.append(name, value)
  noteHeaders(received)
  const isJson = received.get('content-type')?.includes('json') === true
  const parsed = isJson && text !== '' ? JSON.parse(text) : {}
  noteJson(parsed)
  return { status: response.statusCode, headers: received, text, body: parsed }
}

export const form: HeaderList = [['content-type', 'application/x-www-form-urlencoded']]

function isForm(headers: HeaderList): boolean {
  return headers.some(([name, value]) => name.toLowerCase() === 'content-type' && value.includes('urlencoded'))
}

/** The fetch function of a well-behaved client library; notes the secrets. */
export const notingFetch = async (url: string, options: object): Promise<Response> => {
  const { headers, body } = options as { headers?: Record<string, string>; body?: unknown }
  noteHeaders(new Headers(headers))
  if (body instanceof URLSearchParams) noteForm(body)
  const response = await fetch(url, options)
  noteHeaders(response.headers)
  if (response.headers.get('content-type')?.includes('json')) noteJson(await response.clone().json())
  return response
}

/** The pause between two tries of `until`. */
const pauseMs = 15

/** Repeats until the answer is as wanted, and returns it. */
export async function until<Value>(
  ask: () => Promise<Value>,
  wanted: (value: Value) => boolean,
  limitMs = 120_000,
): Promise<Value> {
  const begun = performance.now()
  for (;;) {
    const value = await ask()
    if (wanted(value)) return value
    if (performance.now() - begun > limitMs) throw new Error(`it was not so within ${limitMs} ms`)
    await delay(pauseMs)
  }
}

export { note }
