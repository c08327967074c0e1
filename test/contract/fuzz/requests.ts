/** Requests generated from the document: most of them valid, some with one or more errors. */

import fc, { type Arbitrary } from 'fast-check'
import type { HeaderList } from '../hand-client.ts'
import { type Operation, operations, type Parameter } from './document.ts'
import { type KnownValues, scrap, strange, valueOf } from './values.ts'

export type FuzzRequest = {
  operation: Operation
  /** Path and query. */
  target: string
  headers: HeaderList
  /** The text as sent. */
  body: string | undefined
  signed: boolean
}

/** Usually `usual`; once in `oneIn` times, `odd`. */
function mostly<Value>(usual: Arbitrary<Value>, odd: Arbitrary<Value>, oneIn: number): Arbitrary<Value> {
  return fc.oneof({ weight: oneIn - 1, arbitrary: usual }, { weight: 1, arbitrary: odd })
}

/** Good values: values by their names, and successful bodies by their operations. */
export type Good = { known: KnownValues; bodies: Readonly<Record<string, unknown>> }

export function requestsOf(good: Good): Arbitrary<FuzzRequest> {
  return fc.oneof(...operations.map((operation) => requestOf(operation, good)))
}

function requestOf(operation: Operation, { known: all, bodies }: Good): Arbitrary<FuzzRequest> {
  const own = Object.entries(all).map(([name, values]) => [name.replace(`${operation.name}.`, ''), values] as const)
  const known: KnownValues = Object.fromEntries(own)
  const of = (place: Parameter['in']) => operation.parameters.filter((parameter) => parameter.in === place)
  return fc
    .record({
      path: fc.tuple(...of('path').map(({ schema, name }) => mostly(valueOf(schema, known, name), scrap, 6))),
      query: queryOf(of('query'), known),
      headers: headersOf(of('header'), known),
      body: bodyOf(operation, known, bodies[operation.name]),
      signed: mostly(fc.constant(true), fc.constant(false), 25),
    })
    .map(({ path, query, headers, body, signed }) => {
      const type: HeaderList = body === undefined ? [] : [['content-type', body.type]]
      const given = { operation, headers: [...headers, ...type], body: body?.text, signed }
      return { ...given, target: targetOf(operation, path, query) }
    })
}

function targetOf({ path, parameters }: Operation, values: readonly unknown[], query: [string, unknown][]): string {
  const names = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)
  const filled = names.reduce((at, name, index) => at.replace(`{${name}}`, inUri(values[index])), path)
  const pairs = query.map(([name, value]) => `${inUri(name)}=${inUri(value)}`)
  return pairs.length === 0 ? filled : `${filled}?${pairs.join('&')}`
}

/** Dots are encoded, because a dot segment would change the path. */
function inUri(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return encodeURIComponent(text.toWellFormed()).replace(/^\.+$/, (dots) => dots.replaceAll('.', '%2E'))
}

function queryOf(parameters: readonly Parameter[], known: KnownValues): Arbitrary<[string, unknown][]> {
  const members = parameters.map(({ name, schema, required }) => {
    const value: Arbitrary<unknown> = mostly(valueOf(schema, known, name), scrap, 6)
    const pair = value.map((sent): [string, unknown][] => [[name, sent]])
    return required
      ? mostly<[string, unknown][]>(pair, fc.constant([]), 10)
      : fc.oneof(pair, fc.constant([]), fc.constant([]))
  })
  const extra = fc.tuple(scrap, scrap).map((pair): [string, unknown][] => [pair])
  return fc.tuple(mostly<[string, unknown][]>(fc.constant([]), extra, 15), ...members).map((lists) => lists.flat())
}

const printable = fc.string({ unit: 'grapheme-ascii', maxLength: 220 }).map((text) => text.trim())
const credentials = new Set(['DPoP'])

function headersOf(parameters: readonly Parameter[], known: KnownValues): Arbitrary<HeaderList> {
  const sent = parameters.filter(({ name }) => !credentials.has(name))
  const members = sent.map(({ name, schema, required }) => {
    const good = valueOf(schema, known, name).map((value): HeaderList => [[name, (value as string).trim()]])
    const odd = printable.map((value): HeaderList => [[name, value]])
    const some = mostly(good, odd, 15)
    return required ? mostly<HeaderList>(some, fc.constant([]), 12) : fc.oneof(some, fc.constant([]))
  })
  return fc.tuple(...members).map((lists) => lists.flat())
}

type RequestBody = { text: string; type: string }

function bodyOf(
  { body, method }: Operation,
  known: KnownValues,
  succeeds: unknown,
): Arbitrary<RequestBody | undefined> {
  if (body === undefined) return mostly(fc.constant(undefined), strange.map(asJson), method === 'GET' ? 60 : 25)
  const good = fc.oneof(fc.constant(succeeds), valueOf(body.schema, known), withKnown(body.example, known))
  const changed = fc.tuple(good, fc.nat(), strange, scrap, fc.nat(3)).map((given) => asJson(changeOf(...given)))
  const wrongType = fc.constantFrom('text/plain', 'application/json; charset=utf-16', 'application/merge-patch+json')
  return fc.oneof(
    { weight: 10, arbitrary: fc.constant(asJson(succeeds)) },
    { weight: 8, arbitrary: good.map(asJson) },
    { weight: 10, arbitrary: changed },
    { weight: 1, arbitrary: strange.map(asJson) },
    { weight: 1, arbitrary: scrap.map((text) => ({ text, type: 'application/json' })) },
    { weight: 1, arbitrary: wrongType.map((type) => ({ text: '{}', type })) },
    { weight: 1, arbitrary: fc.constant(undefined) },
  )
}

function asJson(value: unknown): RequestBody {
  return { text: JSON.stringify(value), type: 'application/json' }
}

/** The document's example, with the ids of existing resources. */
function withKnown(example: unknown, known: KnownValues): Arbitrary<unknown> {
  const members = Object.entries(example as Record<string, unknown>).map(([name, value]) => {
    const values = known[name]
    return [name, values === undefined ? fc.constant(value) : fc.constantFrom(...values)] as const
  })
  return fc.record(Object.fromEntries(members))
}

/** Replaces, removes or adds one member. */
function changeOf(body: unknown, which: number, value: unknown, extra: string, way: number): unknown {
  if (typeof body !== 'object' || body === null) return value
  const members = Object.entries(body)
  const index = members.length === 0 ? 0 : which % members.length
  if (way === 0) return Object.fromEntries(members.toSpliced(index, 1))
  if (way === 1) return Object.fromEntries([...members, [extra, value]])
  return Object.fromEntries(members.with(index, [members[index]?.[0] ?? extra, value]))
}
