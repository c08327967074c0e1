/**
 * Typed request/reply, for the routes of the contract and for the calls between services. A reply is `{ ok: true, data }` or
 * `{ ok: false, problem }`, so that a refusal stays distinct from a missing answer.
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
import { telemetryIsOn } from '@financial-agents/runtime/telemetry-is-on'
import { traced } from '@financial-agents/runtime/trace'
import { Unavailable } from '@financial-agents/runtime/unavailable'
import type { CallSubject, Calls, Notices } from './calls.ts'
import type { Bus, RawHandler } from './connect.ts'
import type { MessageContext } from './headers.ts'

/** The request of a route, as the gateway sends it. The service parses it. */
export type RouteRequest = {
  params: Record<string, string>
  query: Record<string, string>
  body?: unknown
  /** Present on keyed routes. */
  idempotency?: { key: string; request_hash: string }
  /** Present on routes that accept any of several scopes or use the policy: the scopes of the request. */
  scopes?: string[]
  /** Present on routes that accept `Confirmation-Intent-ID`. `intent_id` is null if the header is absent and not required. */
  confirmation?: { intent_id: string | null; request_hash: string }
  /** Present on routes that use the policy. */
  policy?: GrantPolicy
  /** Present on routes of operators: the operator who sends the request. */
  operator?: Operator
}

/** The answer of a service: data, or the problem that refuses the request. */
export type Reply<Data> = { ok: true; data: Data; replayed?: true } | { ok: false; problem: ProblemData }

/** The context of a handler, in addition to its input. */
export type HandlerContext = {
  /** Absent on routes without credentials, whose handlers never read it. */
  principal: Principal
  requestId: string
  traceparent: string
  /** The rest of the caller's time-out when the handler starts. */
  timeoutMs: number
  /** Present on keyed routes. */
  idempotency: { key: string; request_hash: string }
  /** On routes that accept any of several scopes or use the policy: the scopes that both token and grant have. Else empty. */
  scopes: readonly string[]
  /** Present on routes that accept `Confirmation-Intent-ID`. `intent_id` is null if the header is absent and not required. */
  confirmation: { intent_id: string | null; request_hash: string }
  /** Present on routes that use it: the limits and confirmations of the grant. */
  policy: GrantPolicy
  /** Present on routes of operators, which have no principal. */
  operator: Operator
}

/** An operator, as the organisation's identity provider names them. */
export type Operator = {
  id: string
  name: string | null
  /** The id of the operator's session. Not a secret. */
  session?: string
}

/** A handler for each route. A missing handler does not compile. */
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

/** The reply that `passRoute` returns. `json` is the data as the service wrote it, unparsed. */
export type PassedReply = { ok: true; json: Uint8Array; replayed: boolean } | { ok: false; problem: ProblemData }

/**
 * Sends a route's request as `callRoute` does, without parsing the data. `request` is the JSON text of a RouteRequest.
 * @throws NoResponders, TimedOut
 */
export function passRoute(bus: Bus, subject: string, request: string, context: MessageContext): Promise<PassedReply> {
  return traced({ name: `${subject} send`, kind: 'client', traceparent: context.traceparent }, async (traceparent) =>
    splitReply(await bus.request(subject, request, telemetryIsOn ? { ...context, traceparent } : context)),
  )
}

/**
 * Calls another service.
 * @throws Problem if the other service refused; NoResponders, TimedOut
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

/** Answers a call between services, as a member of the service's queue group unless `queue` names another one or is null. */
export function serveCall<Subject extends CallSubject>(
  bus: Bus,
  subject: Subject,
  handler: (request: Calls[Subject]['request'], context: MessageContext) => Promise<Calls[Subject]['answer']>,
  options: ServeOptions & { queue?: string | null },
): void {
  respond(bus, subject, options.queue === undefined ? bus.name : options.queue, options, async (data, context) => ({
    ok: true,
    data: await handler(JSON.parse(data) as Calls[Subject]['request'], context),
  }))
}

/** A notice has no answer. */
export function notify<Subject extends keyof Notices>(bus: Bus, subject: Subject, notice: Notices[Subject]): void {
  bus.publish(subject, JSON.stringify(notice))
}

/**
 * Handles notices, as a member of the service's queue group unless `queue` is null. A failure is logged, and the sender's
 * background job repeats the notice.
 */
export function serveNotice<Subject extends keyof Notices>(
  bus: Bus,
  subject: Subject,
  handler: (notice: Notices[Subject]) => Promise<void>,
  options: ServeOptions & { queue?: null },
): void {
  respond(bus, subject, options.queue === undefined ? bus.name : options.queue, options, async (data) => {
    await handler(JSON.parse(data) as Notices[Subject])
    return { ok: true, data: null }
  })
}

/** Answers the routes of a service. Parses the input (422), runs the handler, and checks the output (500). */
export function serveRoutes<Routes extends Record<string, Route>>(
  bus: Bus,
  routes: Routes,
  handlers: Handlers<Routes>,
  options: ServeOptions,
): void {
  for (const [name, row] of Object.entries(routes)) {
    const handler = handlers[name] as (input: unknown, context: HandlerContext) => Promise<unknown>
    respond(bus, routeSubject(name, row), bus.name, { ...options, row }, async (data, context) => {
      const request = JSON.parse(data) as RouteRequest
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
  answer: (data: string, context: MessageContext) => Promise<Reply<unknown>>,
): void {
  const measure = measureOf(subject)
  const handler: RawHandler = (data, context) =>
    traced({ name: `${subject} process`, kind: 'server', traceparent: context.traceparent }, (traceparent) =>
      withContext({ requestId: context.requestId, traceparent, timeoutMs: context.timeoutMs }, async () => {
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

/** The metric's label for a subject. A subject between gateways ends in the id of a process, which the label omits. */
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
 * Splits a reply that `encodeReply` wrote, without parsing its data. The end is unambiguous, because no JSON value ends in
 * `,"replayed":true` outside of its own brackets. A reply with another beginning is parsed.
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
