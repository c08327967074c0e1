/**
 * Typed request/reply. A reply is `{ ok: true, data }` or `{ ok: false, problem }`, so that a refusal stays distinct
 * from no answer. The routes of the contract and the calls between services share it.
 */

import type { Principal } from '@financial-agents/contract/principal'
import { Problem, type ProblemData, validationProblem } from '@financial-agents/contract/problem'
import { problemCatalogue } from '@financial-agents/contract/problem-catalogue'
import type { Acceptance, Route, RouteInput, RouteOutput } from '@financial-agents/contract/route'
import type { GrantPolicy } from '@financial-agents/contract/schemas/authorization'
import { unansweredProblem } from '@financial-agents/contract/unanswered'
import { whatToSend } from '@financial-agents/contract/what-to-send'
import { withContext } from '@financial-agents/runtime/context'
import type { Log } from '@financial-agents/runtime/log'
import { histogram } from '@financial-agents/runtime/metrics/metrics'
import { telemetryIsOn, traced } from '@financial-agents/runtime/trace'
import { Unavailable } from '@financial-agents/runtime/unavailable'
import type { CallSubject, Calls, Notices } from './calls.ts'
import type { Bus, RawHandler } from './connect.ts'
import type { MessageContext } from './headers.ts'

/** What the gateway sends for a route, before the service has parsed it. */
export type RouteRequest = {
  params: Record<string, string>
  query: Record<string, string>
  body?: unknown
  /** On keyed routes. */
  idempotency?: { key: string; request_hash: string }
  /** On routes that take any of several scopes, or ask for the policy: those of the request. */
  scopes?: string[]
  /** On routes that take `Confirmation-Intent-ID`; null where it was not sent and need not be. */
  confirmation?: { intent_id: string | null; request_hash: string }
  /** On routes that ask for it. */
  policy?: GrantPolicy
  /** On routes of operators: who asks. */
  operator?: Operator
}

/** What a service answers: data, or the problem that refuses. */
export type Reply<Data> = { ok: true; data: Data; replayed?: true } | { ok: false; problem: ProblemData }

/** What a handler knows beside its input. */
export type HandlerContext = {
  /** Routes without credentials have none and never read it. */
  principal: Principal
  requestId: string
  traceparent: string
  /** What is left of the caller's patience when the handler starts. */
  timeoutMs: number
  /** On keyed routes. */
  idempotency: { key: string; request_hash: string }
  /** On routes that take any of several scopes, or ask for the policy: those that token and grant both have. */
  scopes: readonly string[]
  /** On routes that take `Confirmation-Intent-ID`; null where it was not sent and need not be. */
  confirmation: { intent_id: string | null; request_hash: string }
  /** On routes that ask for it: what the grant delegates beside its scopes. */
  policy: GrantPolicy
  /** On routes of operators, which have no principal. */
  operator: Operator
}

/** Who runs the service, as the organisation's identity provider names them. */
export type Operator = {
  id: string
  name: string | null
  /** Names the session in which they ask; no secret. */
  session?: string
}

/** One handler for each route; a missing one does not compile. */
export type Handlers<Routes extends Record<string, Route>> = {
  [Name in keyof Routes]: (
    input: RouteInput<Routes[Name]>,
    context: HandlerContext,
  ) => Promise<RouteOutput<Routes[Name]>>
}

type ServeOptions = { log: Log; maxInFlight?: number }

const defaultMaxInFlight = 2_048
const busy = encodeReply({ ok: false, problem: new Problem('service_unavailable').data })
const unsendable = encodeReply({ ok: false, problem: new Problem('internal_error').data })

/** The bus subject of a route. */
export function routeSubject(name: string, row: Pick<Route, 'service'>): string {
  return `rpc.${row.service}.${name}`
}

/** Sends a route's request to its service. @throws NoResponders, TimedOut */
export async function callRoute(
  bus: Bus,
  subject: string,
  request: RouteRequest,
  context: MessageContext,
): Promise<Reply<unknown>> {
  return (await send(bus, subject, request, context)) as Reply<unknown>
}

/** What `passRoute` brings back: the data as the JSON text that the service wrote, not looked into. */
export type PassedReply = { ok: true; json: Uint8Array; replayed: boolean } | { ok: false; problem: ProblemData }

/**
 * `callRoute` for one who only passes on: `request` is the JSON text of a RouteRequest, and the data stays text.
 * @throws NoResponders, TimedOut
 */
export function passRoute(bus: Bus, subject: string, request: string, context: MessageContext): Promise<PassedReply> {
  return traced({ name: `${subject} send`, kind: 'client', traceparent: context.traceparent }, async (traceparent) =>
    splitReply(await bus.request(subject, request, telemetryIsOn ? { ...context, traceparent } : context)),
  )
}

/**
 * Asks another service.
 * @throws Problem as the other side refused; NoResponders, TimedOut
 */
export async function call<Subject extends CallSubject>(
  bus: Bus,
  subject: Subject,
  request: Calls[Subject]['request'],
  context: MessageContext,
): Promise<Calls[Subject]['answer']> {
  const reply = (await send(bus, subject, request, context)) as Reply<Calls[Subject]['answer']>
  if (!reply.ok) throw Problem.from(reply.problem)
  return reply.data
}

function send(bus: Bus, subject: string, request: unknown, context: MessageContext): Promise<unknown> {
  return traced({ name: `${subject} send`, kind: 'client', traceparent: context.traceparent }, async (traceparent) =>
    decode(await bus.request(subject, JSON.stringify(request), { ...context, traceparent })),
  )
}

/** Answers a call between services, as one of the service's queue group. */
export function serveCall<Subject extends CallSubject>(
  bus: Bus,
  subject: Subject,
  handler: (request: Calls[Subject]['request'], context: MessageContext) => Promise<Calls[Subject]['answer']>,
  options: ServeOptions & { queue?: string | null },
): void {
  respond(bus, subject, options.queue === undefined ? bus.name : options.queue, options, async (data, context) => ({
    ok: true,
    data: await handler(decode(data) as Calls[Subject]['request'], context),
  }))
}

/** Sends a notice; nobody answers it. */
export function notify<Subject extends keyof Notices>(bus: Bus, subject: Subject, notice: Notices[Subject]): void {
  bus.publish(subject, JSON.stringify(notice))
}

/** Takes notices, as one of the service's queue group. A failure is logged: the sender's sweep sends it again. */
export function serveNotice<Subject extends keyof Notices>(
  bus: Bus,
  subject: Subject,
  handler: (notice: Notices[Subject]) => Promise<void>,
  options: ServeOptions,
): void {
  respond(bus, subject, bus.name, options, async (data) => {
    await handler(decode(data) as Notices[Subject])
    return { ok: true, data: null }
  })
}

/** Answers the routes of a service: parses input (422), runs the handler, checks the output (500). */
export function serveRoutes<Routes extends Record<string, Route>>(
  bus: Bus,
  routes: Routes,
  handlers: Handlers<Routes>,
  options: ServeOptions,
): void {
  for (const [name, row] of Object.entries(routes)) {
    const handler = handlers[name] as (input: unknown, context: HandlerContext) => Promise<unknown>
    respond(bus, routeSubject(name, row), bus.name, { ...options, row }, async (data, context) => {
      const request = decode(data) as RouteRequest
      const output = await handler(parseInput(row, request), handlerContext(request, context))
      return row.keyed ? acceptanceReply(row, output as Acceptance) : { ok: true, data: checkOutput(row, output) }
    })
  }
}

function respond(
  bus: Bus,
  subject: string,
  queue: string | null,
  options: ServeOptions & { row?: Route },
  answer: (data: Uint8Array, context: MessageContext) => Promise<Reply<unknown>>,
): void {
  const measure = measureOf(subject)
  const handler: RawHandler = (data, context) =>
    traced({ name: `${subject} process`, kind: 'server', traceparent: context.traceparent }, (traceparent) =>
      withContext({ requestId: context.requestId, traceparent }, async () => {
        const startedAt = performance.now()
        try {
          const reply = encodeReply(await answer(data, { ...context, traceparent }))
          measure(startedAt, 'ok')
          return reply
        } catch (error) {
          const problem = toProblem(error, subject, options)
          measure(startedAt, problemCatalogue[problem.code].status < 500 ? 'refused' : 'failed')
          return encodeReply({ ok: false, problem })
        }
      }),
    )
  bus.respond(subject, queue, {
    handler,
    busy,
    unsendable,
    maxInFlight: options.maxInFlight ?? defaultMaxInFlight,
    onError: (error) => options.log.error({ err: error, subject }, 'a message could not be answered'),
  })
}

const durations = histogram('financial_agents.bus.request.duration')

/** Between gateways a subject ends in the id of a process, which is no call of its own. */
function measureOf(subject: string) {
  const [account, area = '', ...rest] = subject.split('.')
  const call = account === 'edge' ? area : rest.join('.')
  const labels = ofEachOutcome((outcome) => ({ call, outcome }))
  return (startedAt: number, outcome: keyof typeof labels) =>
    durations.record((performance.now() - startedAt) / 1_000, labels[outcome])
}

function ofEachOutcome<Value>(make: (outcome: string) => Value) {
  return { ok: make('ok'), refused: make('refused'), failed: make('failed') }
}

function toProblem(error: unknown, subject: string, { log, row }: ServeOptions & { row?: Route }): ProblemData {
  if (error instanceof Unavailable) {
    log.warn({ err: error, subject }, 'a request met a dependency that is out of reach')
    const unknown = row && error.mayHaveHappened
    return (unknown ? unansweredProblem(row, error) : new Problem('service_unavailable')).data
  }
  if (!(error instanceof Problem)) {
    log.error({ err: error, subject }, 'a handler failed')
    return new Problem('internal_error').data
  }
  if (error.cause !== undefined) log.warn({ err: error, subject }, 'a request was refused')
  return error.data
}

function parseInput(row: Route, request: RouteRequest): unknown {
  const words = { error: whatToSend }
  const params = row.params.safeParse(request.params, words)
  if (!params.success) throw validationProblem(params.error, 'path')
  const query = row.query.safeParse(request.query, words)
  if (!query.success) throw validationProblem(query.error, 'query')
  if (!row.body) return { params: params.data, query: query.data, body: undefined }
  const body = row.body.safeParse(request.body, words)
  if (!body.success) throw validationProblem(body.error, 'body')
  return { params: params.data, query: query.data, body: body.data }
}

function handlerContext(request: RouteRequest, context: MessageContext): HandlerContext {
  return {
    principal: context.principal as Principal,
    requestId: context.requestId,
    traceparent: context.traceparent,
    timeoutMs: context.timeoutMs,
    idempotency: request.idempotency as HandlerContext['idempotency'],
    scopes: request.scopes ?? [],
    confirmation: request.confirmation as HandlerContext['confirmation'],
    policy: request.policy as HandlerContext['policy'],
    operator: request.operator as HandlerContext['operator'],
  }
}

function acceptanceReply(row: Route, acceptance: Acceptance): Reply<unknown> {
  const data = checkOutput(row, acceptance.operation)
  return acceptance.replayed ? { ok: true, data, replayed: true } : { ok: true, data }
}

function checkOutput(row: Route, output: unknown): unknown {
  const parsed = row.response.safeParse(output)
  if (parsed.success) return parsed.data
  const where = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.code}`).join('; ')
  throw new Problem('response_contract_failed', { cause: new Error(`the response broke its contract at ${where}`) })
}

const decoder = new TextDecoder()

function decode(data: Uint8Array): unknown {
  return JSON.parse(decoder.decode(data))
}

function encodeReply(reply: Reply<unknown>): string {
  return JSON.stringify(reply)
}

const dataBegins = '{"ok":true,"data":'
const replayedEnds = ',"replayed":true}'

/**
 * Takes apart what `encodeReply` wrote, without parsing the data. The end is unambiguous: no JSON value ends in
 * `,"replayed":true` outside of its own brackets. Whatever begins otherwise is parsed.
 */
function splitReply(data: Uint8Array): PassedReply {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  if (bytes.toString('latin1', 0, dataBegins.length) === dataBegins) {
    const replayed = bytes.toString('latin1', Math.max(0, bytes.length - replayedEnds.length)) === replayedEnds
    const end = bytes.length - (replayed ? replayedEnds.length : 1)
    return { ok: true, json: bytes.subarray(dataBegins.length, end), replayed }
  }
  const reply = decode(data) as Reply<unknown>
  if (!reply.ok) return reply
  return { ok: true, json: Buffer.from(JSON.stringify(reply.data)), replayed: reply.replayed === true }
}
