/** Starts the service: its routes, its public keys, its pages and its background job. */

import { opsConsoleCalls } from '@financial-agents/bus/calls/ops-console'
import { serveRoutes } from '@financial-agents/bus/rpc'
import { serveCalls } from '@financial-agents/bus/serve-calls'
import { createCursors } from '@financial-agents/contract/cursor'
import { operatorRoutes } from '@financial-agents/contract/routes/operator'
import { readBrandLogo } from '@financial-agents/pages/brand-logo'
import { brandingOf } from '@financial-agents/pages/branding-config'
import { createFormTokens } from '@financial-agents/pages/tunnel/form-token'
import { injectTunnelled } from '@financial-agents/pages/tunnel/tunnelled-request'
import { createSealer } from '@financial-agents/runtime/sealing'
import { createGatewayClient } from './api/gateway-client.ts'
import type { ConsoleConfig } from './config.ts'
import type { Dependencies, Opened } from './dependencies.ts'
import { getOperatorOperation } from './handlers/getOperatorOperation.ts'
import { listOperatorGrants } from './handlers/listOperatorGrants.ts'
import { listOperatorOperations } from './handlers/listOperatorOperations.ts'
import { suspendOperatorGrant } from './handlers/suspendOperatorGrant.ts'
import { createApplication } from './http/application.ts'
import type { ConsoleTools } from './http/console-tools.ts'
import { createClientNames } from './operations/client-names.ts'
import { createOverview } from './operations/overview.ts'
import { createProviderHealth } from './operations/provider-health.ts'
import { createReadWrites } from './operations/writes.ts'
import { outsideLinks } from './pages/outside-links.ts'
import { createIdentityProvider } from './sign-in/identity-provider.ts'
import { createBrowserSecret, createSessions } from './sign-in/sessions.ts'
import { createAudit } from './store/audit.ts'
import { startPruning } from './store/prune.ts'
import { recordReadHealth } from './store/read-health.ts'
import { createSessionStore } from './store/sessions.ts'
import { createOperatorTokens } from './token/operator-tokens.ts'
import { publicJwk } from './token/signing-keys.ts'

export type StartConfig = Omit<
  ConsoleConfig,
  'DATABASE_URL' | 'DATABASE_MAX_CONNECTIONS' | 'NATS_URL' | 'NATS_NKEY_SEED' | 'NATS_REQUEST_GRACE_MS'
>

/** Call `close` after the bus is drained. */
export async function startConsole(config: StartConfig, opened: Opened) {
  const { bus, db, log, clock } = opened
  // The gateway serves the logo. A file that it could not serve is refused here too.
  await readBrandLogo(config.BRAND_LOGO_FILE)
  const dependencies: Dependencies = {
    ...opened,
    cursors: createCursors(config.CURSOR_KEY),
    clientNames: createClientNames(opened),
    overview: createOverview(opened),
    providerHealth: createProviderHealth(opened),
    readWrites: createReadWrites(opened),
    audit: createAudit(db, clock),
  }
  serveRoutes(
    bus,
    operatorRoutes,
    {
      listOperatorOperations: listOperatorOperations(dependencies),
      getOperatorOperation: getOperatorOperation(dependencies),
      listOperatorGrants: listOperatorGrants(dependencies),
      suspendOperatorGrant: suspendOperatorGrant(dependencies),
    },
    { log },
  )
  const keys = config.CONSOLE_SIGNING_KEYS.map(publicJwk)
  const app = await createApplication(consoleTools(config, dependencies))
  serveCalls(
    bus,
    opsConsoleCalls,
    {
      'rpc.ops-console.keys': async () => ({ keys }),
      'rpc.ops-console.http': (request) => injectTunnelled(app, request),
      'int.ops-console.read-health': (report) => recordReadHealth(db, report, clock.now()),
    },
    { log },
  )
  const pruning = startPruning({ ...opened, pauseMs: config.PRUNE_PAUSE_MS })
  return { stop: () => pruning.stop(), close: () => app.close() }
}

/** The logo is at the API's origin alone, so a console with a host of its own shows the name without it. */
function logoFileOf({ BRAND_LOGO_FILE, CONSOLE_BASE_URL, PUBLIC_BASE_URL }: StartConfig): string | undefined {
  return (CONSOLE_BASE_URL ?? PUBLIC_BASE_URL) === PUBLIC_BASE_URL ? BRAND_LOGO_FILE : undefined
}

function consoleTools(config: StartConfig, dependencies: Dependencies): ConsoleTools {
  const { db, clock } = dependencies
  const baseUrl = config.PUBLIC_BASE_URL
  const consoleUrl = config.CONSOLE_BASE_URL ?? baseUrl
  const sealer = createSealer(config.SEALING_KEYS)
  const tokens = createOperatorTokens({ keys: config.CONSOLE_SIGNING_KEYS, baseUrl, clock })
  return {
    ...dependencies,
    publicUrl: baseUrl,
    consoleUrl,
    links: outsideLinks(config),
    suspendsClientsByTwo: config.CLIENT_SUSPENSION_BY_TWO,
    environment: config.ENVIRONMENT,
    branding: brandingOf({ ...config, BRAND_LOGO_FILE: logoFileOf(config) }),
    sealer,
    formTokens: createFormTokens(config.CURSOR_KEY, 'form tokens of the console'),
    sessions: createSessions(createSessionStore(db, sealer), consoleUrl, clock),
    browserSecret: createBrowserSecret(consoleUrl),
    identityProvider: createIdentityProvider(config, consoleUrl, clock),
    groupScopes: config.OPERATOR_GROUPS,
    askGateway: createGatewayClient({
      baseUrl,
      gatewayUrl: config.GATEWAY_URL ?? baseUrl,
      tokens,
      clock,
      timeoutMs: config.GATEWAY_TIMEOUT_MS,
    }),
  }
}
