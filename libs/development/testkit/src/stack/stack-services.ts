/** The commands and the environment of each service of the stack. One row for each service. */

import type { UserName } from '@financial-agents/bus/topology'
import type { ComponentKeys } from '@financial-agents/deploy/secrets/values'
import { languages } from '@financial-agents/pages/language'
import { firstClientId } from './seed-clients.ts'

/** Services in the order of their start. They are stopped in reverse order. */
export const serviceNames = [
  'authz',
  'onboarding',
  'operations',
  'reconciler',
  'submitter',
  'beneficiaries',
  'cards',
  'spending',
  'catalog',
  'notifier',
  'ops-console',
  'gateway',
] as const satisfies readonly UserName[]

export type ServiceName = (typeof serviceNames)[number]

/** Facts that are known before the processes start. */
export type StackFacts = {
  /** Made anew at each start, as an installation makes its own. */
  keys: ComponentKeys
  baseUrl: string
  port: number
  providerUrl: string
  /** The operators' identity provider, and the console's registration there. */
  identityProvider: { issuer: string; clientId: string; clientSecret: string }
  enabledCapabilities: readonly string[]
}

type Environment = Record<string, string>

/** All languages, so that the pages can be seen from right to left. */
const pageLanguages = languages.join(',')

/** The variables of a service, beyond its keys and the variables of every service. */
export const serviceEnvironment: { [Name in ServiceName]: (facts: StackFacts) => Environment } = {
  gateway: ({ baseUrl, port, enabledCapabilities }) => ({
    PUBLIC_BASE_URL: baseUrl,
    HOST: '127.0.0.1',
    PORT: String(port),
    // There is only one gateway, so connections need not drain to another.
    CONNECTION_DRAIN_MS: '0',
    ENABLED_CAPABILITIES: enabledCapabilities.join(','),
    FIRST_CLIENT_ID: firstClientId,
    PAGE_LANGUAGES: pageLanguages,
  }),
  authz: ({ baseUrl, providerUrl, enabledCapabilities }) => ({
    PUBLIC_BASE_URL: baseUrl,
    PROVIDER_PAGES_ORIGIN: new URL(providerUrl).origin,
    PAGE_LANGUAGES: pageLanguages,
    ENABLED_CAPABILITIES: enabledCapabilities.join(','),
  }),
  onboarding: ({ providerUrl }) => ({
    DEVICE_AUTHENTICATION: 'fake',
    PROVIDER_URL: providerUrl,
  }),
  operations: ({ baseUrl, providerUrl }) => ({
    PUBLIC_BASE_URL: baseUrl,
    PROVIDER_URL: providerUrl,
  }),
  submitter: ({ providerUrl }) => ({
    PROVIDER_URL: providerUrl,
  }),
  reconciler: ({ providerUrl }) => ({ PROVIDER_URL: providerUrl }),
  beneficiaries: ({ providerUrl, enabledCapabilities }) => ({
    PROVIDER_URL: providerUrl,
    ENABLED_CAPABILITIES: enabledCapabilities.join(','),
  }),
  cards: ({ providerUrl, enabledCapabilities }) => ({
    PROVIDER_URL: providerUrl,
    ENABLED_CAPABILITIES: enabledCapabilities.join(','),
  }),
  spending: ({ providerUrl, enabledCapabilities }) => ({
    PROVIDER_URL: providerUrl,
    ENABLED_CAPABILITIES: enabledCapabilities.join(','),
  }),
  catalog: ({ baseUrl, providerUrl, enabledCapabilities }) => ({
    PUBLIC_BASE_URL: baseUrl,
    PROVIDER_URL: providerUrl,
    ENABLED_CAPABILITIES: enabledCapabilities.join(','),
  }),
  notifier: () => ({
    WEBHOOK_LOOPBACK: 'allowed',
  }),
  'ops-console': ({ baseUrl, identityProvider }) => ({
    PUBLIC_BASE_URL: baseUrl,
    CONSOLE_BASE_URL: baseUrl,
    GATEWAY_URL: baseUrl,
    OPERATOR_IDP_ISSUER: identityProvider.issuer,
    OPERATOR_IDP_CLIENT_ID: identityProvider.clientId,
    OPERATOR_IDP_CLIENT_SECRET: identityProvider.clientSecret,
    OPERATOR_GROUPS: 'viewers=ops:read;responders=ops:read ops:suspend',
  }),
}
