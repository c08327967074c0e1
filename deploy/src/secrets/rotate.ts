/**
 * Replaces a key in three steps: the new key becomes known everywhere (`add`), then it is used (`switch`), then the
 * former key is removed (`drop`). The changed components are rolled out between two steps. No replica therefore ever
 * meets a value that it cannot read.
 *
 * Invariant: a repeated step changes nothing, so it can be repeated until its Secrets are applied. The Secret of a ring
 * says which step was taken last.
 */

import { createUserKey, publicKeyOf } from '@financial-agents/bus/nkey'
import { type UserName, userNames } from '@financial-agents/bus/topology'
import { seedSecretName } from './complete.ts'
import type { Secrets } from './manifests.ts'
import { natsSecretName, publicKeyVariables, serviceSecretName } from './names.ts'
import { type SecretOwner, type SecretVariable, secretOwners, valueName, variablesOf } from './table.ts'
import { createKeyId, createValue, isOwnKind } from './values.ts'

export const rotationSteps = ['add', 'switch', 'drop'] as const

export type RotationStep = (typeof rotationSteps)[number]

/** The Secrets that change, the components to roll out, and the condition for removing the former key. */
export type Rotated = { secrets: Secrets; rollOut: string[]; beforeDrop?: string | undefined }

type Holder = { owner: SecretOwner; name: string; variable: SecretVariable }

const seedVariable = 'NATS_NKEY_SEED'
const nextSeedVariable = 'NATS_NKEY_SEED_NEXT'

/** The entry that names the step that was taken last. No component reads it. */
const stepVariable = (name: string) => `${name}_ROTATION`

/**
 * @param what a variable (`PAYLOAD_KEYS`), or a component's variable (`authz/SEALING_KEYS`) if several components use
 * the same name
 * @throws Error if the variable cannot be rotated this way, or the step is not the next one
 */
export function rotate(existing: Secrets, prefix: string, what: string, step: RotationStep): Rotated {
  const [user, variable] = what.split('/')
  if (variable === seedVariable) return rotateSeed(existing, prefix, user as UserName, step)
  const holders = findHolders(what)
  const [{ owner, name, variable: first }] = holders as [Holder]
  if (name === 'NONCE_KEY') return rotatePair(existing, serviceSecretName(prefix, owner), step)
  if (!isOwnKind(first.kind) || first.kind === 'key')
    throw new Error(`${what} is no ring of keys: the guide says what to do`)
  const [{ entries }] = holders.map((holder) => entriesOf(existing, serviceSecretName(prefix, holder.owner))) as [
    { entries: Record<string, string> },
  ]
  const ring = { keys: (entries[name] ?? '').split(','), last: entries[stepVariable(name)] }
  const value = moveRing(ring, step, () => createValue(first.kind as 'keyRing', createKeyId())).join(',')
  const secrets: Secrets = new Map()
  for (const holder of holders) {
    const secret = serviceSecretName(prefix, holder.owner)
    secrets.set(secret, { ...entriesOf(existing, secret).entries, [name]: value, [stepVariable(name)]: step })
  }
  return { secrets, rollOut: holders.map((holder) => holder.owner), beforeDrop: first.beforeDrop }
}

function findHolders(what: string): Holder[] {
  const all = secretOwners.flatMap((owner) => variablesOf(owner).map(([name, variable]) => ({ owner, name, variable })))
  const matching = all.filter(({ owner, name }) => what === name || what === `${owner}/${name}`)
  const values = new Set(matching.map(({ owner, name, variable }) => valueName(owner, name, variable)))
  if (values.size === 0) throw new Error(`no component has ${what}`)
  if (values.size > 1)
    throw new Error(`say whose: ${matching.map(({ owner, name }) => `${owner}/${name}`).join(' or ')}`)
  return all.filter(({ owner, name, variable }) => values.has(valueName(owner, name, variable)))
}

function entriesOf(existing: Secrets, secret: string) {
  const entries = existing.get(secret)
  if (!entries) throw new Error(`the folder has no ${secret}.yaml`)
  return { entries }
}

/** The keys of a ring, and the step that was taken last. The first key is used, and all keys are known. */
type Ring = { keys: readonly string[]; last: string | undefined }

function moveRing({ keys, last }: Ring, step: RotationStep, make: () => string): readonly string[] {
  if (step === last) return keys
  const [used = '', ...known] = keys
  if (step === 'add') {
    if (known.length > 0) throw new Error('it has two keys already: switch or drop comes first')
    return [used, make()]
  }
  if (known.length === 0) throw new Error('it has one key alone: add comes first')
  if (step === 'switch') return [...known, used]
  if (last !== 'switch') throw new Error('the former key is still used: switch comes first')
  return [used]
}

/** Rotates the gateway's nonce key, whose other key has its own variable. */
function rotatePair(existing: Secrets, secret: string, step: RotationStep): Rotated {
  const { NONCE_KEY = '', NONCE_OTHER_KEY, ...entries } = entriesOf(existing, secret).entries
  const keys = [NONCE_KEY, ...(NONCE_OTHER_KEY === undefined ? [] : [NONCE_OTHER_KEY])]
  const last = entries[stepVariable('NONCE_KEY')]
  const [used = '', other] = moveRing({ keys, last }, step, () => createValue('key', ''))
  const pair = { NONCE_KEY: used, ...(other === undefined ? {} : { NONCE_OTHER_KEY: other }) }
  const changed = { ...entries, ...pair, [stepVariable('NONCE_KEY')]: step }
  return { secrets: new Map([[secret, changed]]), rollOut: ['gateway'] }
}

/** NATS knows two public keys of each user, so both seeds can log in during the change. */
function rotateSeed(existing: Secrets, prefix: string, user: UserName, step: RotationStep): Rotated {
  if (!userNames.includes(user)) throw new Error(`NATS has no user ${user}`)
  const [current, next] = publicKeyVariables(user)
  const [secret, nats] = [seedSecretName(prefix, user), natsSecretName(prefix)]
  const { [nextSeedVariable]: nextSeed, ...entries } = entriesOf(existing, secret).entries
  const known = entriesOf(existing, nats).entries
  if (step === 'add') {
    const { seed, publicKey } = nextSeed === undefined ? createUserKey() : seedAndKey(nextSeed)
    const secrets: Secrets = new Map()
    secrets.set(secret, { ...entries, [nextSeedVariable]: seed }).set(nats, { ...known, [next]: publicKey })
    return { secrets, rollOut: ['the NATS servers'] }
  }
  const publicKey = publicKeyOf(entries[seedVariable] as string)
  if (step === 'switch') {
    const isSwitched = nextSeed === undefined && known[next] === publicKey
    const seed = isSwitched ? entries[seedVariable] : nextSeed
    if (seed === undefined) throw new Error('there is no next seed: add comes first')
    return { secrets: new Map([[secret, { ...entries, [seedVariable]: seed }]]), rollOut: [user] }
  }
  if (nextSeed !== undefined || known[next] !== publicKey)
    throw new Error('the former seed is still used: switch comes first')
  const changed = { ...known, [current]: publicKey, [next]: createUserKey().publicKey }
  return { secrets: new Map([[nats, changed]]), rollOut: ['the NATS servers'] }
}

function seedAndKey(seed: string) {
  return { seed, publicKey: publicKeyOf(seed) }
}
