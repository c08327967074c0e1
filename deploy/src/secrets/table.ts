/**
 * The secrets of every component: the variable, the kind, and the components that share the value. The chart's
 * references, the command that makes the Secrets and the development stack all read this table.
 *
 * Invariant: a value is shared only by the components that need it. A variable without `sharedAs` has its own value.
 */

/**
 * `key`: base64 of 32 bytes. `keyRing`: `id:base64` pairs of such keys. `seedRing`: the same with Ed25519 seeds.
 * `signingKeyRing`: `kid:base64` pairs of P-256 keys (PKCS#8, DER). `nkeySeed`: the seed of the component's NATS user.
 * `databaseUrl`: contains the password of the component's role. `given`: a secret from a third party, which only that
 * party can supply.
 */
export type SecretKind = 'key' | 'keyRing' | 'seedRing' | 'signingKeyRing' | 'nkeySeed' | 'databaseUrl' | 'given'

export type SecretVariable = {
  kind: SecretKind
  /** Components with the same name here have the same value. */
  sharedAs?: string
  /** The component starts without the variable. */
  optional?: true
  /** Set only during a key rotation. */
  rotationOnly?: true
  /**
   * For a ring: the condition for removing the former key, as the end of a sentence. The default is that nothing needs
   * the key.
   */
  beforeDrop?: string
  /** The effect of losing or replacing the value. */
  lost: string
}

const nats = { kind: 'nkeySeed', lost: 'made anew together with the public key that NATS knows' } as const
const database = { kind: 'databaseUrl', lost: 'made anew together with the verifier that PostgreSQL knows' } as const
const connections = { NATS_NKEY_SEED: nats, DATABASE_URL: database } as const

const payloads = {
  kind: 'keyRing',
  sharedAs: 'payloads',
  beforeDrop: 'when no payload has the id of the former key, and after the command re-encrypt of operations',
  lost: 'operations that were accepted and not yet submitted never are: they stay accepted until their grant is suspended, which cancels them',
} as const
const credentials = {
  kind: 'keyRing',
  sharedAs: 'credentials',
  beforeDrop: 'after 15 minutes and the command re-encrypt of onboarding',
  lost: 'every owner has to connect the provider again, and what is unsettled stays so until then',
} as const
const requestHash = {
  kind: 'key',
  sharedAs: 'request-hash',
  lost: 'a repeated request with its own key is refused as another one: keep it for ever',
} as const
const activity = {
  kind: 'key',
  sharedAs: 'activity',
  lost: 'identifiers of movements change: keep it for ever',
} as const
const cursor = { kind: 'key', lost: 'lists that are being read have to be begun again' } as const

/** Secrets by component. The secrets of streams and roles belong to other components: see `provisionerSecrets`. */
export const serviceSecrets = {
  gateway: {
    NATS_NKEY_SEED: nats,
    NONCE_KEY: { kind: 'key', lost: 'every client is challenged once more' },
    NONCE_OTHER_KEY: { kind: 'key', optional: true, rotationOnly: true, lost: 'as NONCE_KEY' },
    REQUEST_HASH_KEY: requestHash,
  },
  authz: {
    ...connections,
    SEALING_KEYS: {
      kind: 'keyRing',
      beforeDrop: 'after the command keys rotate of authz and 92 days',
      lost: 'signing keys and sessions are gone: everybody signs in again',
    },
    PAIRWISE_KEY: { kind: 'key', lost: 'clients see every owner as somebody new: keep it for ever' },
    DPOP_NONCE_KEY: { kind: 'key', lost: 'every client is challenged once more' },
  },
  operations: {
    ...connections,
    REQUEST_HASH_KEY: requestHash,
    PAYLOAD_KEYS: payloads,
    CREDENTIAL_KEYS: credentials,
    CURSOR_KEY: cursor,
  },
  submitter: { ...connections, PAYLOAD_KEYS: payloads, CREDENTIAL_KEYS: credentials },
  reconciler: { ...connections, CREDENTIAL_KEYS: credentials },
  beneficiaries: { ...connections, PAYLOAD_KEYS: payloads, CREDENTIAL_KEYS: credentials, CURSOR_KEY: cursor },
  cards: {
    ...connections,
    PAYLOAD_KEYS: payloads,
    CREDENTIAL_KEYS: credentials,
    CURSOR_KEY: cursor,
    ACTIVITY_KEY: activity,
  },
  spending: {
    ...connections,
    PAYLOAD_KEYS: payloads,
    CREDENTIAL_KEYS: credentials,
    CURSOR_KEY: cursor,
    ACTIVITY_KEY: activity,
  },
  onboarding: { ...connections, PAYLOAD_KEYS: payloads, CREDENTIAL_KEYS: credentials },
  catalog: { ...connections, CREDENTIAL_KEYS: credentials, CURSOR_KEY: cursor },
  notifier: {
    ...connections,
    SEALING_KEYS: {
      kind: 'keyRing',
      beforeDrop: 'after the command re-encrypt of notifier',
      lost: 'subscriptions have to be made again',
    },
    CURSOR_KEY: cursor,
    WEBHOOK_SIGNING_KEYS: {
      kind: 'seedRing',
      optional: true,
      lost: 'receivers read the new key from where it is published',
    },
    OWNER_EVENTS_SECRET: { kind: 'key', optional: true, lost: 'give the platform the new secret' },
  },
  'ops-console': {
    ...connections,
    CONSOLE_SIGNING_KEYS: { kind: 'signingKeyRing', lost: 'operators sign in again' },
    SEALING_KEYS: { kind: 'keyRing', lost: 'operators sign in again' },
    CURSOR_KEY: cursor,
    OPERATOR_IDP_CLIENT_SECRET: { kind: 'given', optional: true, lost: 'ask the identity provider for a new one' },
  },
} as const satisfies Record<string, Readonly<Record<string, SecretVariable>>>

/** The secrets of the job that creates the streams. Only this NATS user may create them. */
export const provisionerSecrets = { NATS_NKEY_SEED: nats } as const satisfies Record<string, SecretVariable>

export type SecretOwner = keyof typeof serviceSecrets

export const secretOwners = Object.keys(serviceSecrets) as SecretOwner[]

export function variablesOf(owner: SecretOwner): [name: string, variable: SecretVariable][] {
  return Object.entries(serviceSecrets[owner])
}

/** Components that own a schema. Each has a role, and its migrations log in as the schema's owner. */
export const schemaOwners = secretOwners.filter(
  (owner): owner is Exclude<SecretOwner, 'gateway'> => owner !== 'gateway',
)

/** Names a value: by its shared name, or by its component and variable. */
export function valueName(owner: string, variable: string, { sharedAs }: SecretVariable): string {
  return sharedAs ?? `${owner}/${variable}`
}
