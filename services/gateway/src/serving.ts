/**
 * Serves a request from its first check to the last byte of the response, for each kind of path. Every request is
 * answered. A problem is answered by its catalogue entry, any other error as internal_error. Both are logged with the
 * request id.
 */

import { Problem } from '@financial-agents/contract/problem'
import { problemCatalogue } from '@financial-agents/contract/problem-catalogue'
import { oauthRetryAfterS, oauthUnavailable } from '@financial-agents/pages/tunnel/oauth-unavailable'
import type { Log } from '@financial-agents/runtime/log'
import { readAnyBody } from './body.ts'
import type { Carry } from './carry.ts'
import { checkAddressLimit } from './checks/check-address-limit.ts'
import { checkExpectation } from './checks/check-expectation.ts'
import type { Check } from './checks.ts'
import type { Dependencies } from './dependencies.ts'
import type { Documentation } from './documentation.ts'
import { errorPageOf } from './error-page.ts'
import type { Exchange } from './exchange.ts'
import type { Forward } from './forward.ts'
import { noteProblem } from './measure.ts'
import { withHead } from './path-table.ts'
import { prefersHtml } from './prefers-html.ts'
import { asProblem, type Responder } from './respond.ts'
import type { Site, SitePage } from './site.ts'
import type { Stored } from './stored.ts'
import { isApiPath, isAuthorizePath, isOauthPath, isPlainPath, isPublishedPath } from './tunnelled-paths.ts'

export type Serving = {
  route(exchange: Exchange, checks: readonly Check[], forward: Forward): Promise<void>
  tunnelled(exchange: Exchange, carry: Carry): Promise<void>
  /** Serves a page in the language of its reader, or an answer that is the same for everybody. */
  page(exchange: Exchange, page: SitePage | Stored | undefined): Promise<void>
  /**
   * Serves a path of the documentation. Only pages count against the limit of an address. The files that a page loads
   * do not.
   */
  documentation(exchange: Exchange, documentation: Documentation): Promise<void>
  /** Answers a wrong method of a known path, a preflight, or an unknown path. */
  unrouted(exchange: Exchange, methods: readonly string[]): void
  malformed(exchange: Exchange, detail: string): void
}

type ServingOptions = { dependencies: Dependencies; respond: Responder; site: Site; log: Log }

export function createServing({ dependencies, respond, site, log }: ServingOptions): Serving {
  const refuse = (exchange: Exchange, error: unknown, more: readonly string[] = []) => {
    const problem = limitFailures(exchange, asProblem(error), dependencies)
    logProblem(log, exchange, problem)
    if (isForPerson(exchange)) sendErrorPage(respond, site, exchange, problem, more)
    else respond.sendProblem(exchange, problem, more)
  }
  return {
    route: async (exchange, checks, forward) => {
      try {
        for (const check of checks) {
          const pending = check(exchange, dependencies)
          if (pending !== undefined) await pending
        }
        respond.sendAnswer(exchange, await forward(exchange))
        if (log.isLevelEnabled('debug')) log.debug(facts(exchange), 'answered')
      } catch (error) {
        refuse(exchange, error)
      }
    },
    tunnelled: async (exchange, carry) => {
      // A preflight names no client, so authz could not check its origin.
      const methods = isPreflight(exchange) ? preflightMethods(exchange.path) : undefined
      if (methods) return respond.sendPreflight(exchange, methods)
      try {
        if (!isPlainPath(exchange.path)) throw new Problem('route_not_found')
        checkExpectation(exchange)
        checkAddressLimit(exchange, dependencies)
        const response = await carry(exchange, await readAnyBody(exchange))
        respond.sendTunnelled(exchange, response)
        if (log.isLevelEnabled('debug')) log.debug(facts(exchange), 'tunnelled')
      } catch (error) {
        const problem = asProblem(error)
        logProblem(log, exchange, problem)
        sendTunnelledError(respond, site, exchange, problem)
      }
    },
    page: async (exchange, page) => {
      try {
        checkExpectation(exchange)
        if (page === undefined) throw nothingThere(exchange, dependencies)
        if (typeof page !== 'function') return respond.sendStored(exchange, page)
        const chosen = site.choose(exchange.path, exchange.rawQuery)
        respond.sendStored(exchange, chosen ?? page(site.readerOf(exchange.request.headers)))
      } catch (error) {
        refuse(exchange, error)
      }
    },
    documentation: async (exchange, documentation) => {
      const { path, request } = exchange
      const { accept, 'if-none-match': ifNoneMatch } = request.headers
      try {
        checkExpectation(exchange)
        const found = await documentation.find({ path, accept, ifNoneMatch })
        if (found === undefined) throw nothingThere(exchange, dependencies)
        if (found.status === 404) checkAddressLimit(exchange, dependencies)
        respond.sendStored(exchange, found)
      } catch (error) {
        refuse(exchange, error)
      }
    },
    unrouted: (exchange, methods) => {
      if (methods.length === 0) return refuse(exchange, new Problem('route_not_found'))
      if (isPreflight(exchange)) return respond.sendPreflight(exchange, methods)
      refuse(exchange, new Problem('method_not_allowed'), ['Allow', methods.join(', ')])
    },
    malformed: (exchange, detail) => refuse(exchange, new Problem('malformed_request', { detail })),
  }
}

/**
 * Who reads pages, person or program, leaves the limit of an address to the API. Guessed addresses count.
 * @throws Problem rate_limited
 */
function nothingThere(exchange: Exchange, dependencies: Dependencies): Problem {
  checkAddressLimit(exchange, dependencies)
  return new Problem('route_not_found')
}

/** Returns the methods of a carried path that pages of other origins may use. */
function preflightMethods(path: string): readonly string[] | undefined {
  if (isPublishedPath(path)) return withHead('GET')
  return isOauthPath(path) ? ['GET', 'POST'] : undefined
}

function isPreflight({ method, request }: Exchange): boolean {
  return method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined
}

/**
 * Charges a failed authentication to the client's address. If the address has no tokens left, the limit's problem is
 * returned.
 */
function limitFailures(exchange: Exchange, problem: Problem, dependencies: Dependencies): Problem {
  // The challenge for a nonce is a protocol step, not a failure.
  if (problem.code !== 'invalid_token' && problem.code !== 'invalid_dpop_proof') return problem
  try {
    checkAddressLimit(exchange, dependencies)
    return problem
  } catch (error) {
    return asProblem(error)
  }
}

/** True if a person reads the answer: a browser asks for an address that is not one of the API's. */
function isForPerson({ path, request }: Exchange): boolean {
  return (!isApiPath(path) || isAuthorizePath(path)) && prefersHtml(request.headers.accept)
}

/** Sends a page to a person, an OAuth error to an OAuth client, and a problem to all others. */
function sendTunnelledError(respond: Responder, site: Site, exchange: Exchange, problem: Problem): void {
  const { path } = exchange
  if (isForPerson(exchange)) sendErrorPage(respond, site, exchange, problem)
  else if (isOauthPath(path) && problem.code !== 'route_not_found') sendOauthError(respond, exchange, problem)
  else respond.sendProblem(exchange, problem)
}

function sendErrorPage(
  respond: Responder,
  site: Site,
  exchange: Exchange,
  problem: Problem,
  more: readonly string[] = [],
): void {
  const { retry_after } = problem.data
  const wait = retry_after === undefined ? [] : ['Retry-After', String(retry_after)]
  const { status } = problemCatalogue[problem.code]
  const page = site.render(errorPageOf(problem, exchange.requestId, site.readerOf(exchange.request.headers)), status)
  respond.sendStored(exchange, { ...page, headers: [...page.headers, ...wait, ...more] })
}

/** RFC 6749 §4.1.2.1 and §5.2: OAuth endpoints answer OAuth errors. */
function sendOauthError(respond: Responder, exchange: Exchange, problem: Problem): void {
  const { status } = problemCatalogue[problem.code]
  const passing = status === 429 || status === 503
  const error = status >= 500 || passing ? (passing ? 'temporarily_unavailable' : 'server_error') : 'invalid_request'
  const headers = [...respond.headers(exchange), 'Content-Type', 'application/json']
  if (passing) headers.push('Retry-After', String(problem.data.retry_after ?? oauthRetryAfterS))
  const body = status === 503 ? oauthUnavailable : { error, error_description: problem.data.detail }
  respond.send(exchange, status, headers, JSON.stringify(body))
}

function logProblem(log: Log, exchange: Exchange, problem: Problem): void {
  const { status } = problemCatalogue[problem.code]
  noteProblem(problem.code)
  const line = { ...facts(exchange), status, problem: problem.code }
  if (status < 500) log.info(line, 'refused')
  else if (problem.code === 'internal_error') log.error({ ...line, err: problem }, 'failed')
  else log.warn(problem.cause === undefined ? line : { ...line, err: problem }, 'failed')
}

function facts(exchange: Exchange) {
  return {
    request_id: exchange.requestId,
    trace_id: exchange.traceparent.slice(3, 35),
    method: exchange.method,
    route: exchange.name,
    grant_id: exchange.grant?.grant_id,
    operator: exchange.operatorToken?.operator.id,
    duration_ms: Math.round((performance.now() - exchange.startedAt) * 10) / 10,
  }
}
