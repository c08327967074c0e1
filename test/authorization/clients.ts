/** Clients of the stack, by name, or fresh: not used by any other test of this run. */

import { createPrivateKey, type KeyObject } from 'node:crypto'
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { environment, type TestClient } from './environment.ts'

export function clientNamed(clientId: string): TestClient {
  const found = environment().clients.find(({ client_id }) => client_id === clientId)
  if (!found) throw new Error(`no client ${clientId} is declared`)
  return found
}

const next = new Map<string, number>()

/** Takes a client by creating a file, so that a client is taken once across all test files. */
export function freshClient(profile: 'web' | 'spa' | 'native' | 'device'): TestClient {
  const folder = join(environment().folder, 'taken')
  mkdirSync(folder, { recursive: true })
  for (let index = next.get(profile) ?? 0; ; index += 1) {
    next.set(profile, index + 1)
    const client = clientNamed(`${profile}-${index}`)
    try {
      closeSync(openSync(join(folder, client.client_id), 'wx'))
      return client
    } catch {
      // Another test file has taken it.
    }
  }
}

export type ClientKey = { privateKey: KeyObject; kid: string; jwk: Record<string, string> }

export function keyOf(client: TestClient): ClientKey | null {
  if (client.private_key_file === null) return null
  const jwk = JSON.parse(readFileSync(client.private_key_file, 'utf8')) as Record<string, string> & { kid: string }
  return { privateKey: createPrivateKey({ key: jwk, format: 'jwk' }), kid: jwk.kid, jwk }
}
