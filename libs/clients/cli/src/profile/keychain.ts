/**
 * The system's keychain: Keychain of macOS, Credential Manager of Windows, Secret Service of Linux. The package that
 * reaches it is optional. The kernel's keyring of Linux is not used: it loses its keys at a restart.
 */

import type { Env } from './config.ts'

/** The secrets of this program, by name. */
export type Keychain = {
  /** @throws if the keychain is locked or does not answer */
  get(name: string): string | undefined
  set(name: string, secret: string): void
  delete(name: string): void
}

const service = 'financial-agents'
const options = { linux: { store: 'secret-service' } } as const

/** Finds the keychain; undefined if there is none, or if `FINANCIAL_AGENTS_KEYCHAIN` is `off`. */
export async function findKeychain(env: Env): Promise<Keychain | undefined> {
  if (env['FINANCIAL_AGENTS_KEYCHAIN'] === 'off') return undefined
  const library = await import('@napi-rs/keyring').catch(() => undefined)
  if (!library) return undefined
  const entry = (name: string) => new library.Entry(service, name, options)
  try {
    entry('probe').getPassword()
  } catch {
    return undefined
  }
  return {
    get: (name) => entry(name).getPassword() ?? undefined,
    set: (name, secret) => entry(name).setPassword(secret),
    delete: (name) => void entry(name).deletePassword(),
  }
}
