/** A service account whose owner the provider has not verified. Such an owner is asked to prove their identity. */

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ApiClient, createServiceClient } from '@financial-agents/testkit/client'
import { writeClientKey } from '@financial-agents/testkit/seed'
import { parse, stringify } from 'yaml'
import { registerClients } from '../register-clients.ts'
import type { TestStack } from '../stack.test-helper.ts'

const client_id = 'tomasz-agent'
const owner_id = '01980000-0000-7000-8000-000000000004'

/** Declares the owner, the binding and the client, as an operator would. */
export async function unverifiedClientOf(stack: TestStack, scope: string): Promise<ApiClient> {
  const credentials_file = join(stack.folder, `credentials-${owner_id}`)
  await writeFile(credentials_file, 'test-user-tomasz-zielinski-gdansk', { mode: 0o600 })
  const { bindings } = parse(await readFile(stack.declarations.bindingsFile, 'utf8'))
  const file = join(stack.folder, 'bindings-unverified.yaml')
  const binding = { owner_id, provider: 'fake', customer_reference: 'per_tomasz', credentials_file }
  await writeFile(file, stringify({ bindings: [...bindings, binding] }))
  await stack.runCommand('onboarding', 'apply-bindings', [file])
  const { privateKeyFile, jwks } = await writeClientKey(stack.folder, client_id)
  const declared = { client_id, name: "Tomasz's agent", profile: 'service', jwks, service_owner: owner_id }
  await registerClients(stack, (clients) => [...clients, { ...declared, scopes: scope.split(' ') }])
  const client = await createServiceClient({ baseUrl: stack.baseUrl, clientId: client_id, privateKeyFile })
  await client.authorize(scope)
  return client
}
