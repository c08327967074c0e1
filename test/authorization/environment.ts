/** What the global set-up tells the test files about the one stack that all of them share. */

import { askFor } from '@financial-agents/testkit/on-demand'
import { inject } from 'vitest'

export type TestClient = {
  client_id: string
  name: string
  profile: 'web' | 'spa' | 'native' | 'device' | 'service'
  scopes: readonly string[]
  redirect_uris: readonly string[]
  origins: readonly string[]
  /** A private JWK; null for a public client. */
  private_key_file: string | null
}

export type Environment = {
  baseUrl: string
  /** Another replica of the gateway. */
  secondUrl: string
  providerUrl: string
  folder: string
  logFolder: string
  secretsFile: string
  clients: TestClient[]
  /** Health addresses of the replicas of authz, of the gateways and of onboarding: their clocks are moved there. */
  authzHealth: string[]
  gatewayHealth: string[]
  onboardingHealth: string[]
  /** The schema of authz, for what has no route yet. */
  authzDatabaseUrl: string
  /** Registrations in force, and the environment of the command that applies others. */
  clientsFile: string
  commandEnvironment: Record<string, string>
  /** Makes operators' tokens. */
  consoleSigningKey: string
}

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the stack is asked for. */
    authorizationStack: string
  }
}

let shared: Environment | undefined

/** Starts the stack where this is the first file that asks; for the set-up file of the folder. */
export async function askForStack(): Promise<void> {
  shared ??= await askFor<Environment>(inject('authorizationStack'))
}

/** Undefined in the tests of other folders, which use the browser of this one. */
export function environmentIfAny(): Environment | undefined {
  return shared
}

export function environment(): Environment {
  if (shared === undefined) throw new Error('the set-up file of this folder has not asked for the stack')
  return shared
}
