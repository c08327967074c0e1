/** Facts about the folder's shared stack, passed from the global set-up to the test files. */

import { askFor } from '@financial-agents/testkit/on-demand'
import { inject } from 'vitest'

export type TestClient = {
  client_id: string
  name: string
  profile: 'web' | 'spa' | 'native' | 'device' | 'service'
  scopes: readonly string[]
  redirect_uris: readonly string[]
  origins: readonly string[]
  /** The file with its private JWK; null for a public client. */
  private_key_file: string | null
}

export type Environment = {
  baseUrl: string
  /** The address of another replica of the gateway. */
  secondUrl: string
  providerUrl: string
  folder: string
  logFolder: string
  secretsFile: string
  clients: TestClient[]
  /** Health addresses of the replicas of authz, of the gateways and of onboarding. Tests move clocks through them. */
  authzHealth: string[]
  gatewayHealth: string[]
  onboardingHealth: string[]
  /** The database of authz, for facts without a route. */
  authzDatabaseUrl: string
  /** The current registrations, and the environment of the command that applies others. */
  clientsFile: string
  commandEnvironment: Record<string, string>
  /** Signs operators' tokens. */
  consoleSigningKey: string
}

declare module 'vitest' {
  export interface ProvidedContext {
    /** The address at which files ask for the stack. */
    authorizationStack: string
  }
}

let shared: Environment | undefined

/** Asks for the stack; the first file that asks starts it. Called by the set-up file of the folder. */
export async function askForStack(): Promise<void> {
  shared ??= await askFor<Environment>(inject('authorizationStack'))
}

/** Undefined in tests of other folders, which use this folder's browser. */
export function environmentIfAny(): Environment | undefined {
  return shared
}

export function environment(): Environment {
  if (shared === undefined) throw new Error('the set-up file of this folder has not asked for the stack')
  return shared
}
