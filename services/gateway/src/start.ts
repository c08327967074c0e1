/** Creates all parts that live as long as the process, connects them, and starts to listen. */

import { createSecretKey } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import type { Bus } from '@financial-agents/bus/connect'
import { openapiJson } from '@financial-agents/contract/openapi/committed'
import { operatorAudience } from '@financial-agents/contract/operator-audience'
import { type RouteName, routes } from '@financial-agents/contract/routes'
import { type BrandLogo, readBrandLogo } from '@financial-agents/pages/brand-logo'
import { logoPath } from '@financial-agents/pages/branding'
import { brandingOf } from '@financial-agents/pages/branding-config'
import type { Clock } from '@financial-agents/runtime/clock'
import type { Log } from '@financial-agents/runtime/log'
import { createAccessTokens } from './access-tokens.ts'
import { type BusState, watchBus } from './bus-state.ts'
import { type Carry, createTunnel } from './carry.ts'
import { createClientAddress } from './client-address.ts'
import type { GatewayConfig } from './config.ts'
import { createIsConsoleHost } from './console-host.ts'
import { createCors } from './cors.ts'
import type { Dependencies } from './dependencies.ts'
import { createDocumentation } from './documentation.ts'
import { closeServer, drainConnections } from './drain.ts'
import { createForward, type Forward } from './forward.ts'
import { createFrontPage } from './front-page.ts'
import { type Grants, startGrants } from './grants.ts'
import { getHealth } from './handlers/getHealth.ts'
import { getMetadata } from './handlers/getMetadata.ts'
import { getOpenapi } from './handlers/getOpenapi.ts'
import { getPublicConfig } from './handlers/getPublicConfig.ts'
import { observeActive } from './measure.ts'
import { openapiVariant, openapiVariantPath } from './openapi-variant.ts'
import { startOrigins } from './origins.ts'
import { createOwnRoute, type OwnHandlers } from './own-routes.ts'
import { createPages } from './pages.ts'
import { createProofs } from './proofs.ts'
import { startRequestLimits } from './request-limits.ts'
import { createResponder } from './respond.ts'
import { createServer } from './server.ts'
import { createServing } from './serving.ts'
import { createSigningKeys, type SigningKeys } from './signing-keys.ts'
import { createSite, type Site, type SitePage, storedLogo } from './site.ts'
import type { Stored } from './stored.ts'
import { customerClaims, operatorClaims } from './token-classes.ts'
import { createTunnelledRoute } from './tunnelled-route.ts'
import { createWebhookKeys } from './webhook-keys.ts'

export type Gateway = {
  /** The address on which it listens. */
  url: string
  checks: Readonly<Record<string, () => Promise<unknown>>>
  /** Asks clients to leave, finishes current requests, then closes. The caller drains the bus. */
  stop: () => Promise<void>
}

type Opened = { bus: Bus; clock: Clock; log: Log }

type GatewayContext = Opened & { config: GatewayConfig }

/** The time that a request may need in addition to the service's deadline. */
const deadlineMarginMs = 1_000

export async function startGateway(config: GatewayConfig, opened: Opened): Promise<Gateway> {
  const startedAt = performance.now()
  const given = { ...opened, config }
  const { bus, clock, log } = given
  const baseUrl = config.PUBLIC_BASE_URL
  const busState = watchBus(bus)
  const origins = startOrigins({ bus, log })
  const grants = startGrants({
    bus,
    log,
    silenceMs: config.GRANT_FEED_SILENCE_MS,
    nowMs: () => clock.nowMs(),
    onClientChange: () => origins.doubt(),
  })
  const usual = { bus, log, pauseMs: config.SIGNING_KEYS_PAUSE_MS }
  const signingKeys = createSigningKeys({
    ...usual,
    subject: 'rpc.authz.keys',
    onRemoved: () => dependencies.tokens.forgetAll(),
  })
  const operatorKeys = createSigningKeys({
    ...usual,
    subject: 'rpc.ops-console.keys',
    onRemoved: () => dependencies.operatorTokens.forgetAll(),
  })
  const logo = await readBrandLogo(config.BRAND_LOGO_FILE)
  const { PAGE_LANGUAGES: languages, ENVIRONMENT: environment } = config
  const site = createSite({ baseUrl, branding: brandingOf(config), languages, environment })
  const dependencies = createDependencies(given, { grants, signingKeys, operatorKeys, busState })
  const currentNonce = () => dependencies.proofs.nonces.current()
  const cors = createCors((origin) => origins.isRegistered(origin))
  let stopping = false
  const respond = createResponder({ baseUrl, cors, currentNonce, isStopping: () => stopping })
  const consoleUrl = config.CONSOLE_BASE_URL ?? baseUrl
  const carries = createCarries(given, { busState, baseUrl, consoleUrl })
  const app = createServer({
    clock,
    serving: createServing({ dependencies, respond, site, log }),
    forwards: createForwards(given, { busState, grants, carry: carries.authz }),
    carries,
    isConsoleHost: createIsConsoleHost(baseUrl, consoleUrl),
    webhookKeys: createWebhookKeys(usual),
    pages: createOwn({ config, site, logo }),
    documentation: createDocumentation(baseUrl, config.DOCUMENTATION_FOLDER),
    baseUrl,
    clientAddress: createClientAddress(config.TRUSTED_PROXIES, config.FORWARDED_HEADER),
    requestTimeoutMs: config.REQUEST_TIMEOUT_MS,
    stallMs: config.CONNECTION_STALL_MS,
  })
  observeActive()
  await bus.check()
  await app.listen({ host: config.HOST, port: config.PORT })
  const url = urlOf(app.server.address() as AddressInfo)
  log.info({ url }, 'listening')
  return {
    url,
    checks: { grant_feed: () => checkFirstHeard(grants, performance.now() - startedAt, config.GRANT_FEED_SILENCE_MS) },
    stop: async () => {
      stopping = true
      await drainConnections(app.server, config.CONNECTION_DRAIN_MS)
      await closeServer(app, config.REQUEST_DEADLINE_MS + deadlineMarginMs)
      dependencies.limits.stop()
      grants.stop()
      await Promise.all([origins.stop(), signingKeys.stop(), operatorKeys.stop()])
    },
  }
}

function createCarries(
  { bus, config }: GatewayContext,
  { busState, baseUrl, consoleUrl }: { busState: BusState; baseUrl: string; consoleUrl: string },
) {
  const tunnelled = { bus, busState, deadlineMs: config.REQUEST_DEADLINE_MS }
  return {
    authz: createTunnel({ ...tunnelled, service: 'authz', publicHost: new URL(baseUrl).host }),
    'ops-console': createTunnel({ ...tunnelled, service: 'ops-console', publicHost: new URL(consoleUrl).host }),
  }
}

/**
 * A new process leaves requests to the others until it has heard authz. After that, and if authz stays silent, it answers
 * 503 itself: nobody else could do more, and without a ready gateway clients would find no connection at all.
 */
async function checkFirstHeard(grants: Grants, sinceStartMs: number, patienceMs: number): Promise<void> {
  if (!grants.isHeard() && sinceStartMs < patienceMs) throw new Error('the feed of grants was not heard yet')
}

type Own = { config: GatewayConfig; site: Site; logo: BrandLogo | undefined }

/** The gateway's own pages, and the answers that are built once, by path. */
function createOwn({ config, site, logo }: Own): ReadonlyMap<string, SitePage | Stored> {
  const pages = new Map<string, SitePage | Stored>(createPages(config.PUBLIC_BASE_URL, site))
  if (logo) pages.set(logoPath, storedLogo(logo))
  return pages.set('/', createFrontPage(config, site)).set(openapiVariantPath, openapiVariant(config.PUBLIC_BASE_URL))
}

type GatewayState = { grants: Grants; signingKeys: SigningKeys; operatorKeys: SigningKeys; busState: BusState }

function createDependencies({ config, bus, clock, log }: GatewayContext, known: GatewayState): Dependencies {
  const { grants, signingKeys, operatorKeys, busState } = known
  const ofGrants = { ratePerS: config.GRANT_RATE_PER_S, burst: config.GRANT_BURST }
  const proofs = createProofs({ config, bus, clock, log })
  const nowMs = () => clock.nowMs()
  return {
    baseUrl: config.PUBLIC_BASE_URL,
    requestHashKey: createSecretKey(config.REQUEST_HASH_KEY),
    tokens: createAccessTokens({
      issuer: config.PUBLIC_BASE_URL,
      readClaims: customerClaims,
      nowMs,
      signingKeys,
      onNew: (token) => grants.compare(token),
    }),
    operatorTokens: createAccessTokens({
      issuer: operatorAudience(config.PUBLIC_BASE_URL),
      readClaims: operatorClaims,
      nowMs,
      signingKeys: operatorKeys,
    }),
    proofs,
    grants,
    limits: startRequestLimits({
      bus,
      isConnected: () => busState.isConnected(),
      nowMs,
      bootId: proofs.nonces.bootId,
      limits: {
        grant: ofGrants,
        operator: ofGrants,
        address: { ratePerS: config.ADDRESS_RATE_PER_S, burst: config.ADDRESS_BURST },
      },
    }),
  }
}

function urlOf({ address, port, family }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

type Routing = { busState: BusState; grants: Grants; carry: Carry }

/**
 * The functions that answer each route: a handler here, the service that the row names, or authz over HTTP for the
 * browser's session.
 */
function createForwards({ config, bus, clock }: GatewayContext, routing: Routing): Record<string, Forward> {
  const { busState, grants, carry } = routing
  const own: OwnHandlers = {
    getHealth: () => getHealth({ now: () => clock.now(), busState, grants }),
    getMetadata: () => getMetadata(config),
    getPublicConfig: () => getPublicConfig(config),
  }
  const toBus = { bus, busState, deadlineMs: config.REQUEST_DEADLINE_MS }
  const forwards: Record<string, Forward> = {
    getOpenapi: getOpenapi(routes.getOpenapi, openapiJson(config.PUBLIC_BASE_URL)),
  }
  for (const [name, row] of Object.entries(routes)) {
    const handler = row.service === 'gateway' ? own[name as keyof OwnHandlers & RouteName] : undefined
    if (forwards[name]) continue
    if (handler) forwards[name] = createOwnRoute(row, handler)
    else forwards[name] = row.browserSession ? createTunnelledRoute(row, carry) : createForward(toBus, name, row)
  }
  return forwards
}
