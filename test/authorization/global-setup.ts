/**
 * One stack for the whole folder, with two replicas of authz and of the gateway, so that every test runs against both.
 * When all tests are done, what the processes wrote is searched for every secret that was used.
 */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { getFreePort } from '@financial-agents/servers/ports'
import type { TestProject } from 'vitest/node'
import { startTestStack, type TestStack } from '../stack.test-helper.ts'
import { declareTestClients } from './declared-clients.ts'
import type { TestClient } from './environment.ts'
import { findLeaks } from './leaks.ts'

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // As much as they ever write: the search of the logs is about all of it.
  const environment = { all: { LOG_LEVEL: 'debug' } }
  let clients: TestClient[] = []
  const stack = await startTestStack({
    environment,
    declareClients: async (folder, seed) => {
      const declared = await declareTestClients(folder, seed)
      clients = declared.clients
      return declared.clientsFile
    },
  })
  try {
    await prepare(project, stack, clients)
  } catch (error) {
    await stack.close()
    throw error
  }
  return async () => {
    await stack.stop()
    const leaks = findLeaks(join(stack.folder, 'logs'), join(stack.folder, 'secrets'))
    await stack.close()
    if (leaks.length > 0) throw new Error(`secrets in the logs: ${leaks.slice(0, 20).join('; ')}`)
  }
}

async function prepare(project: TestProject, stack: TestStack, clients: TestClient[]): Promise<void> {
  await stack.start('authz')
  const second = await stack.start('gateway', {}, { port: await getFreePort() })
  const secretsFile = join(stack.folder, 'secrets')
  writeFileSync(secretsFile, '', { mode: 0o600 })
  const health = (name: 'authz' | 'gateway' | 'onboarding') =>
    (stack.processes.get(name) ?? []).map(({ healthUrl }) => healthUrl)
  const commandEnvironment = stack.environmentOf('authz')
  project.provide('authorization', {
    baseUrl: stack.baseUrl,
    secondUrl: second.url as string,
    providerUrl: stack.providerUrl,
    folder: stack.folder,
    logFolder: join(stack.folder, 'logs'),
    secretsFile,
    clients,
    authzHealth: health('authz'),
    gatewayHealth: health('gateway'),
    onboardingHealth: health('onboarding'),
    authzDatabaseUrl: commandEnvironment.DATABASE_URL as string,
    clientsFile: stack.declarations.clientsFile,
    commandEnvironment,
    consoleSigningKey: stack.keys['ops-console'].CONSOLE_SIGNING_KEYS,
  })
}
