/** How each service of the stack is started: its commands and its environment. One row a service. */

import { generateKeyPairSync, randomBytes } from 'node:crypto'
import type { UserName } from '@financial-agents/bus/topology'

/** Services in the order in which they are started and, reversed, stopped. */
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

/** A service of the stack. */
export type ServiceName = (typeof serviceNames)[number]

/** Services that own a schema. */
export const schemaOwners = serviceNames.filter((name) => name !== 'gateway')

const key = (bytes: number) => randomBytes(bytes).toString('base64')

/** A new P-256 key as `kid:base64` of its PKCS#8. */
function signingKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return `dev:${privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64')}`
}

/** Keys of one stack, made anew at each start, and shared by exactly the services that need them. */
export function createStackKeys() {
  return {
    nonce: key(32),
    requestHash: key(32),
    cursor: key(32),
    pairwise: key(32),
    tokenNonce: key(32),
    payload: `dev:${key(32)}`,
    credential: `dev:${key(32)}`,
    authz: `dev:${key(32)}`,
    activity: key(32),
    notifier: `dev:${key(32)}`,
    webhook: `dev:${key(32)}`,
    console: `dev:${key(32)}`,
    consoleCursor: key(32),
    /** Signs the tokens of operators. */
    consoleSigning: signingKey(),
  }
}

/** What is known before the processes start. */
export type StackFacts = {
  keys: ReturnType<typeof createStackKeys>
  baseUrl: string
  port: number
  providerUrl: string
  /** Where operators sign in, and the console as it is known there. */
  identityProvider: { issuer: string; clientId: string; clientSecret: string }
  enabledCapabilities: readonly string[]
}

type Environment = Record<string, string>

/** The variables of a service beyond those that every service takes. */
export const serviceEnvironment: { [Name in ServiceName]: (facts: StackFacts) => Environment } = {
  gateway: ({ keys, baseUrl, port, enabledCapabilities }) => ({
    PUBLIC_BASE_URL: baseUrl,
    HOST: '127.0.0.1',
    PORT: String(port),
    NONCE_KEY: keys.nonce,
    REQUEST_HASH_KEY: keys.requestHash,
    ENABLED_CAPABILITIES: enabledCapabilities.join(','),
  }),
  authz: ({ keys, baseUrl, providerUrl, enabledCapabilities }) => ({
    PUBLIC_BASE_URL: baseUrl,
    PROVIDER_PAGES_ORIGIN: new URL(providerUrl).origin,
    ENABLED_CAPABILITIES: enabledCapabilities.join(','),
    SEALING_KEYS: keys.authz,
    PAIRWISE_KEY: keys.pairwise,
    DPOP_NONCE_KEY: keys.tokenNonce,
  }),
  onboarding: ({ keys, providerUrl }) => ({
    PAYLOAD_KEYS: keys.payload,
    CREDENTIAL_KEYS: keys.credential,
    DEVICE_AUTHENTICATION: 'fake',
    PROVIDER_URL: providerUrl,
  }),
  operations: ({ keys, baseUrl, providerUrl }) => ({
    PUBLIC_BASE_URL: baseUrl,
    REQUEST_HASH_KEY: keys.requestHash,
    PAYLOAD_KEYS: keys.payload,
    CREDENTIAL_KEYS: keys.credential,
    PROVIDER_URL: providerUrl,
  }),
  submitter: ({ keys, providerUrl }) => ({
    PAYLOAD_KEYS: keys.payload,
    CREDENTIAL_KEYS: keys.credential,
    PROVIDER_URL: providerUrl,
  }),
  reconciler: ({ keys, providerUrl }) => ({ CREDENTIAL_KEYS: keys.credential, PROVIDER_URL: providerUrl }),
  beneficiaries: ({ keys, providerUrl, enabledCapabilities }) => ({
    PAYLOAD_KEYS: keys.payload,
    CREDENTIAL_KEYS: keys.credential,
    CURSOR_KEY: keys.cursor,
    PROVIDER_URL: providerUrl,
    ENABLED_CAPABILITIES: enabledCapabilities.join(','),
  }),
  cards: ({ keys, providerUrl, enabledCapabilities }) => ({
    PAYLOAD_KEYS: keys.payload,
    CREDENTIAL_KEYS: keys.credential,
    CURSOR_KEY: keys.cursor,
    ACTIVITY_KEY: keys.activity,
    PROVIDER_URL: providerUrl,
    ENABLED_CAPABILITIES: enabledCapabilities.join(','),
  }),
  spending: ({ keys, providerUrl, enabledCapabilities }) => ({
    PAYLOAD_KEYS: keys.payload,
    CREDENTIAL_KEYS: keys.credential,
    CURSOR_KEY: keys.cursor,
    ACTIVITY_KEY: keys.activity,
    PROVIDER_URL: providerUrl,
    ENABLED_CAPABILITIES: enabledCapabilities.join(','),
  }),
  catalog: ({ keys, baseUrl, providerUrl, enabledCapabilities }) => ({
    PUBLIC_BASE_URL: baseUrl,
    CREDENTIAL_KEYS: keys.credential,
    CURSOR_KEY: keys.cursor,
    PROVIDER_URL: providerUrl,
    ENABLED_CAPABILITIES: enabledCapabilities.join(','),
  }),
  notifier: ({ keys }) => ({
    SEALING_KEYS: keys.notifier,
    CURSOR_KEY: keys.cursor,
    WEBHOOK_SIGNING_KEYS: keys.webhook,
    WEBHOOK_LOOPBACK: 'allowed',
  }),
  'ops-console': ({ keys, baseUrl, identityProvider }) => ({
    PUBLIC_BASE_URL: baseUrl,
    CONSOLE_BASE_URL: baseUrl,
    GATEWAY_URL: baseUrl,
    CONSOLE_SIGNING_KEYS: keys.consoleSigning,
    SEALING_KEYS: keys.console,
    CURSOR_KEY: keys.consoleCursor,
    OPERATOR_IDP_ISSUER: identityProvider.issuer,
    OPERATOR_IDP_CLIENT_ID: identityProvider.clientId,
    OPERATOR_IDP_CLIENT_SECRET: identityProvider.clientSecret,
    OPERATOR_GROUPS: 'viewers=ops:read;responders=ops:read ops:suspend',
  }),
}
