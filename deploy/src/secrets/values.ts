/** Makes values of each kind from the operating system's random bytes. This file prints, logs and stores nothing. */

import { generateKeyPairSync, randomBytes } from 'node:crypto'
import {
  type SecretOwner,
  type SecretVariable,
  secretOwners,
  type serviceSecrets,
  valueName,
  variablesOf,
} from './table.ts'

/** Kinds whose values we make alone: no server holds a matching value, and nobody else supplies them. */
export type OwnKind = 'key' | 'keyRing' | 'seedRing' | 'signingKeyRing'

type Table = typeof serviceSecrets

type KeysOf<Variables> = {
  readonly [Name in keyof Variables as Variables[Name] extends { rotationOnly: true }
    ? never
    : Variables[Name] extends { kind: OwnKind }
      ? Name
      : never]: string
}

/** The keys of every component by its variables. */
export type ComponentKeys = { readonly [Owner in SecretOwner]: KeysOf<Table[Owner]> }

/** True for kinds whose values are made here. */
export function isOwnKind(kind: SecretVariable['kind']): kind is OwnKind {
  return kind in makers
}

const makers: Record<OwnKind, (id: string) => string> = {
  key: () => createKey(),
  keyRing: (id) => `${id}:${createKey()}`,
  seedRing: (id) => `${id}:${createKey()}`,
  signingKeyRing: (id) => `${id}:${createSigningKey()}`,
}

/** Makes a new value. `id` names the key within its ring. */
export function createValue(kind: OwnKind, id: string): string {
  return makers[kind](id)
}

/** Makes a unique key id that starts with the day of creation. Rotations refer to that day. */
export function createKeyId(now = new Date()): string {
  return `${now.toISOString().slice(0, 10)}-${randomBytes(2).toString('hex')}`
}

/** Makes a password that needs no escaping in a URL. */
export function createPassword(): string {
  return randomBytes(24).toString('base64url')
}

/** Makes new keys for every component, equal where they are shared. */
export function createComponentKeys(): ComponentKeys {
  const id = createKeyId()
  const made = new Map<string, string>()
  const valueOf = (owner: SecretOwner, name: string, variable: SecretVariable) =>
    getOrMake(made, valueName(owner, name, variable), () => createValue(variable.kind as OwnKind, id))
  const keysOf = (owner: SecretOwner) =>
    variablesOf(owner)
      .filter(([, variable]) => isOwnKind(variable.kind) && !variable.rotationOnly)
      .map(([name, variable]) => [name, valueOf(owner, name, variable)])
  return Object.fromEntries(
    secretOwners.map((owner) => [owner, Object.fromEntries(keysOf(owner))]),
  ) as unknown as ComponentKeys
}

function getOrMake(map: Map<string, string>, name: string, make: () => string): string {
  const value = map.get(name) ?? make()
  map.set(name, value)
  return value
}

function createKey(): string {
  return randomBytes(32).toString('base64')
}

function createSigningKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64')
}
