/**
 * One stack for the whole folder, with two replicas of authz and of the gateway, so that every test runs against both.
 * The stack starts when the first test file asks for it. At the end, its logs are searched for every secret that the
 * tests used.
 */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { getFreePort } from '@financial-agents/servers/ports'
import { say } from '@financial-agents/servers/say'
import { type Offer, offerOnDemand, type Shared } from '@financial-agents/testkit/on-demand'
import type { TestProject } from 'vitest/node'
import { startTestStack, type TestStack } from '../stack.test-helper.ts'
import type { Environment, TestClient } from './environment.ts'
import { findLeaks } from './leaks.ts'
import { registerTestClients } from './registered-clients.ts'

export default async function setup(project: TestProject): Promise<Offer['stop']> {
  const { url, stop } = await offerOnDemand(startShared)
  project.provide('authorizationStack', url)
  return stop
}

async function startShared(): Promise<Shared<Environment>> {
  say('starting the stack of test/authorization')
  const environment = {
    // The most verbose level, because the logs are searched for secrets.
    all: { LOG_LEVEL: 'debug' },
    // Tests move the clock by 90 days and back. A background job that began in between would end the grants of the next test.
    authz: { EXPIRY_PAUSE_MS: '600000' },
  }
  let clients: TestClient[] = []
  const stack = await startTestStack({
    environment,
    registerClients: async (folder, seed) => {
      const declared = await registerTestClients(folder, seed)
      clients = declared.clients
      return declared.clientsFile
    },
  })
  const stop = async () => {
    await stack.stop()
    const leaks = findLeaks(join(stack.folder, 'logs'), join(stack.folder, 'secrets'))
    await stack.close()
    if (leaks.length > 0) throw new Error(`secrets in the logs: ${leaks.slice(0, 20).join('; ')}`)
  }
  try {
    return { description: await prepare(stack, clients), stop }
  } catch (error) {
    await stack.close()
    throw error
  }
}

async function prepare(stack: TestStack, clients: TestClient[]): Promise<Environment> {
  await stack.start('authz')
  const second = await stack.start('gateway', {}, { port: await getFreePort() })
  const secretsFile = join(stack.folder, 'secrets')
  writeFileSync(secretsFile, '', { mode: 0o600 })
  const health = (name: 'authz' | 'gateway' | 'onboarding') =>
    (stack.processes.get(name) ?? []).map(({ healthUrl }) => healthUrl)
  const commandEnvironment = stack.environmentOf('authz')
  return {
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
  }
}
