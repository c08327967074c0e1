/**
 * Reads the headers that the gateway uses, in one pass over the raw headers. Node itself would silently keep the first
 * of two `Authorization` headers. A repeated name is marked as repeated, and every check refuses it.
 */

const members = {
  authorization: 'authorization',
  'confirmation-intent-id': 'confirmationIntentId',
  'content-encoding': 'contentEncoding',
  'content-length': 'contentLength',
  'content-type': 'contentType',
  dpop: 'dpop',
  expect: 'expect',
  'idempotency-key': 'idempotencyKey',
  origin: 'origin',
  traceparent: 'traceparent',
  'transfer-encoding': 'transferEncoding',
  'x-request-id': 'requestId',
} as const

type Member = (typeof members)[keyof typeof members]

export type RequestHeaders = Record<Member, string | undefined> & { repeated: readonly Member[] }

const wanted = new Map<string, Member>(Object.entries(members))
const wantedLengths = new Set(Object.keys(members).map((name) => name.length))

/** @param raw IncomingMessage.rawHeaders: name, value, name, value */
export function readHeaders(raw: readonly string[]): RequestHeaders {
  const read: RequestHeaders = {
    authorization: undefined,
    confirmationIntentId: undefined,
    contentEncoding: undefined,
    contentLength: undefined,
    contentType: undefined,
    dpop: undefined,
    expect: undefined,
    idempotencyKey: undefined,
    origin: undefined,
    traceparent: undefined,
    transferEncoding: undefined,
    requestId: undefined,
    repeated: [],
  }
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index] as string
    if (!wantedLengths.has(name.length)) continue
    const member = wanted.get(name.toLowerCase())
    if (member === undefined) continue
    if (read[member] === undefined) read[member] = raw[index + 1]
    else read.repeated = [...read.repeated, member]
  }
  return read
}
