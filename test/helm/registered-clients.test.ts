/** authz reads the clients exactly as the values declare them, although Helm and authz use different versions of YAML. */

import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { ofKind } from './manifests.ts'
import { needRendered, rendered } from './rendered.ts'

needRendered()

type Declared = { clients: { client_id: string; jwks?: { keys: Record<string, string>[] } }[] }

test('the key of a client keeps all its members', () => {
  const [configMap] = ofKind(rendered('registered-clients').resources, 'ConfigMap')
  const { clients } = parse(configMap?.data?.['clients.yaml'] ?? '') as Declared
  const key = clients.find(({ client_id }) => client_id === 'example-agent')?.jwks?.keys[0]
  expect(Object.keys(key ?? {}).toSorted()).toEqual(['crv', 'kid', 'kty', 'x', 'y'])
})
