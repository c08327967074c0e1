/**
 * Every secret of every component: under which variable it is read, of what kind it is and which components have the same
 * value. The chart's references, the command that makes the Secrets and the development stack all come from here.
 *
 * Invariant: a value is shared by exactly the components that cannot do without it; what names no `sharedAs` is one's own.
 */

/**
 * `key`: base64 of 32 bytes. `keyRing`: `id:base64` pairs of such keys. `seedRing`: the same of Ed25519 seeds. `signingKeyRing`:
 * `kid:base64` pairs of P-256 keys (PKCS#8, DER). `nkeySeed`: of the component's user of NATS. `databaseUrl`: with the password of
 * the component's role. `given`: somebody else's secret, which only its owner can tell.
 */
export type SecretKind = 'key' | 'keyRing' | 'seedRing' | 'signingKeyRing' | 'nkeySeed' | 'databaseUrl' | 'given'

/** One secret variable of a component. */
export type SecretVariable = {
  kind: SecretKind
  /** Components that name the same here have the same value. */
  sharedAs?: string
  /** The component starts without it. */
  optional?: true
  /** Only set while a key is being rotated. */
  rotationOnly?: true
  /** Of a ring: when the former key may go, as the end of a sentence; when nothing needs it, where nothing more can be said. */
  beforeDrop?: string
  /** What becomes of it where the value is lost or replaced. */
  lost: string
}

const nats = { kind: 'nkeySeed', lost: 'made anew together with the public key that NATS knows' } as const
const database = { kind: 'databaseUrl', lost: 'made anew together with the verifier that PostgreSQL knows' } as const
const connections = { NATS_NKEY_SEED: nats, DATABASE_URL: database } as const

const payloads = {
  kind: 'keyRing',
  sharedAs: 'payloads',
  beforeDrop: 'when no payload has the id of the former key, and after the command reseal of operations',
  lost: 'operations that were accepted and not yet submitted never are: they stay accepted until their grant is suspended, which cancels them',
} as const
const credentials = {
  kind: 'keyRing',
  sharedAs: 'credentials',
  beforeDrop: 'after 15 minutes and the command reseal of onboarding',
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

/** Secrets by component. Streams and roles are provided for by components of their own: see `provisionerSecrets`. */
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
      beforeDrop: 'after the command reseal of notifier',
      lost: 'subscriptions have to be made again',
    },
    CURSOR_KEY: cursor,
    WEBHOOK_SIGNING_KEYS: {
      kind: 'seedRing',
      optional: true,
      lost: 'receivers read the new key from where it is published',
    },
  },
  'ops-console': {
    ...connections,
    CONSOLE_SIGNING_KEYS: { kind: 'signingKeyRing', lost: 'operators sign in again' },
    SEALING_KEYS: { kind: 'keyRing', lost: 'operators sign in again' },
    CURSOR_KEY: cursor,
    OPERATOR_IDP_CLIENT_SECRET: { kind: 'given', optional: true, lost: 'ask the identity provider for a new one' },
  },
} as const satisfies Record<string, Readonly<Record<string, SecretVariable>>>

/** Of the job that makes the streams: the one user that may. */
export const provisionerSecrets = { NATS_NKEY_SEED: nats } as const satisfies Record<string, SecretVariable>

/** A component with secrets of its own. */
export type SecretOwner = keyof typeof serviceSecrets

/** All of them. */
export const secretOwners = Object.keys(serviceSecrets) as SecretOwner[]

/** The variables of a component. */
export function variablesOf(owner: SecretOwner): [name: string, variable: SecretVariable][] {
  return Object.entries(serviceSecrets[owner])
}

/** Components that own a schema: they have a role each, and their migrations log in as its owner. */
export const schemaOwners = secretOwners.filter(
  (owner): owner is Exclude<SecretOwner, 'gateway'> => owner !== 'gateway',
)

/** What two components share has one name; what is a component's own is named for it and its variable. */
export function valueName(owner: string, variable: string, { sharedAs }: SecretVariable): string {
  return sharedAs ?? `${owner}/${variable}`
}
