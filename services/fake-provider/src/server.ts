/**
 * The provider's HTTP server: the Provider API under /provider/v1, pages for a browser under /hosted, and the control API for
 * tests under /control. Development only: the control API needs no credentials, so the address must stay on the machine
 * or in the test namespace.
 */

import Fastify, { type FastifyInstance } from 'fastify'
import { ZodError } from 'zod'
import { addApprovals } from './handlers/approvals.ts'
import { addBeneficiaries } from './handlers/beneficiaries.ts'
import { addCardReveals } from './handlers/card-reveals.ts'
import { addCards } from './handlers/cards.ts'
import { addConnection } from './handlers/connection.ts'
import { addControlClock } from './handlers/control-clock.ts'
import { addControlDeadlines } from './handlers/control-deadlines.ts'
import { addControlFaults } from './handlers/control-faults.ts'
import { addControlIdentity } from './handlers/control-identity.ts'
import { addControlLedger } from './handlers/control-ledger.ts'
import { addControlSettle } from './handlers/control-settle.ts'
import { addControlTestUsers } from './handlers/control-test-users.ts'
import { addDeviceAuthentications } from './handlers/device-authentications.ts'
import { addHostedApproval } from './handlers/hosted-approval.ts'
import { addHostedCardReveal } from './handlers/hosted-card-reveal.ts'
import { addHostedIdentityCheck } from './handlers/hosted-identity-check.ts'
import { addHostedSignIn } from './handlers/hosted-sign-in.ts'
import { addIdentityChecks } from './handlers/identity-checks.ts'
import { addMandates } from './handlers/mandates.ts'
import { addReads } from './handlers/reads.ts'
import { addSandbox } from './handlers/sandbox.ts'
import { addTransfers } from './handlers/transfers.ts'
import type { ReceivedBody } from './mutation.ts'
import { refusal } from './refusal.ts'
import { createWorld, type World } from './world.ts'

export type ServerOptions = {
  readonly latencyMs: number
  /** True: an instruction that arrives twice is executed twice. False by default. */
  readonly executesRepeats?: boolean | undefined
  /** False: the provider makes no promise about deadlines. True by default. */
  readonly refusesAfterDeadline?: boolean | undefined
  /**
   * The address at which a browser reaches the hosted pages. By default the address at which the API's caller reached
   * this server.
   */
  readonly publicUrl?: string | undefined
  /** The control listener of the system around the provider. */
  readonly systemControlUrl?: string | undefined
}

export function createServer({
  publicUrl,
  latencyMs,
  executesRepeats,
  refusesAfterDeadline,
  systemControlUrl,
}: ServerOptions): FastifyInstance {
  const world = createWorld({
    latencyMs,
    executesRepeats: executesRepeats ?? false,
    refusesAfterDeadline: refusesAfterDeadline ?? true,
  })
  const app = Fastify({ logger: false, forceCloseConnections: true })
  addJsonParser(app)

  addBeneficiaries(app, world)
  addCards(app, world)
  addConnection(app, world)
  addMandates(app, world)
  addReads(app, world)
  addTransfers(app, world)
  addPages(app, world, publicUrl)
  addSandbox(app, world)
  addControlClock(app, world)
  addControlDeadlines(app, world)
  addControlFaults(app, world)
  addControlIdentity(app, world)
  addControlLedger(app, world)
  addControlTestUsers(app)
  addControlSettle(app, world)
  // A program that knows the provider finds the rest of the sandbox.
  if (systemControlUrl !== undefined) app.get('/control/system', async () => ({ control_url: systemControlUrl }))
  app.get('/health', async () => ({ status: 'ok' }))

  app.setNotFoundHandler((_request, reply) => refusal(reply, 404, 'unknown_address'))
  app.setErrorHandler((error, _request, reply) => {
    if (error instanceof ZodError) {
      const where = error.issues.map(({ path, message }) => ({ path: path.join('.'), message }))
      return reply.code(400).send({ error: { code: 'invalid_request', where } })
    }
    const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
    return refusal(reply, status, status < 500 ? 'invalid_request' : 'internal')
  })
  return app
}

/** Adds the hosted pages, and the calls that lead to them. */
function addPages(app: FastifyInstance, world: World, publicUrl: string | undefined): void {
  addApprovals(app, world, publicUrl)
  addCardReveals(app, world, publicUrl)
  addDeviceAuthentications(app, world, publicUrl)
  addIdentityChecks(app, world, publicUrl)
  addHostedApproval(app, world)
  addHostedCardReveal(app, world)
  addHostedIdentityCheck(app, world)
  addHostedSignIn(app, world)
}

/** Keeps the text beside the parsed value: the ledger digests the body as sent, even if it is not JSON. */
function addJsonParser(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, text, done) => {
    const body: ReceivedBody = { text: String(text), value: findJson(String(text)) }
    done(null, body)
  })
}

function findJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
