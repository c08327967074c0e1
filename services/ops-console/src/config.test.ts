import { generateKeyPairSync } from 'node:crypto'
import { readConfig } from '@financial-agents/runtime/config'
import { expect, test } from 'vitest'
import { consoleConfig } from './config.ts'
import { scopesOfGroups } from './sign-in/group-scopes.ts'

const derOf = (curve: 'P-256' | 'P-384') =>
  generateKeyPairSync('ec', { namedCurve: curve })
    .privateKey.export({ format: 'der', type: 'pkcs8' })
    .toString('base64')

const key = Buffer.alloc(32, 7).toString('base64')
const signing = derOf('P-256')
const env = {
  ENVIRONMENT: 'local',
  NATS_URL: 'nats://127.0.0.1',
  NATS_NKEY_SEED: 'seed',
  DATABASE_URL: 'postgres://127.0.0.1',
  PUBLIC_BASE_URL: 'https://api.example.com',
  CONSOLE_SIGNING_KEYS: `one:${signing}`,
  SEALING_KEYS: `s:${key}`,
  CURSOR_KEY: key,
  OPERATOR_IDP_ISSUER: 'https://login.example.com',
  OPERATOR_IDP_CLIENT_ID: 'console',
  OPERATOR_GROUPS: 'viewers=ops:read;responders=ops:read ops:suspend',
}

const read = (changes: Record<string, string> = {}) => readConfig(consoleConfig, { ...env, ...changes })

test('the required variables are sufficient', () => {
  const config = read()
  expect(config.CONSOLE_SIGNING_KEYS.map(({ kid }) => kid)).toEqual(['one'])
  expect(config).toMatchObject({ OPERATOR_IDP_SCOPES: 'openid profile', OPERATOR_GROUPS_CLAIM: 'groups' })
})

test.each([
  ['CONSOLE_SIGNING_KEYS', signing],
  ['CONSOLE_SIGNING_KEYS', 'one:nothing'],
  ['CONSOLE_SIGNING_KEYS', `one:${derOf('P-384')}`],
  ['CONSOLE_SIGNING_KEYS', `one:${signing},one:${derOf('P-256')}`],
  ['SEALING_KEYS', `s:${key.slice(4)}`],
  ['OPERATOR_GROUPS', 'everybody'],
  ['OPERATOR_GROUPS', 'viewers=ops:everything'],
  ['OPERATOR_GROUPS', 'viewers=accounts:read'],
  ['OPERATOR_GROUPS', 'viewers=ops:read;viewers=ops:suspend'],
  ['OPERATOR_IDP_SCOPES', 'profile'],
  ['OPERATOR_IDP_ISSUER', 'login.example.com'],
  ['PUBLIC_BASE_URL', 'https://api.example.com/'],
])('%s is refused as %j, by its name and without its value', (name, value) => {
  const refuse = () => read({ [name]: value })
  expect(refuse).toThrow(name)
  expect(refuse).not.toThrow(value)
})

test.each(['PUBLIC_BASE_URL', 'CONSOLE_BASE_URL', 'OPERATOR_IDP_ISSUER'])(
  'production takes no plain http as %s',
  (name) => {
    const http = { [name]: 'http://api.example.com' }
    expect(() => read({ ...http, ENVIRONMENT: 'production' })).toThrow(`${name} (must be https in production)`)
    expect(() => read(http)).not.toThrow()
  },
)

test('groups give the scopes of all configured ones, and nothing if none is configured', () => {
  const { OPERATOR_GROUPS: groups } = read()
  expect(scopesOfGroups(groups, ['viewers', 'responders', 'others'])).toEqual(['ops:read', 'ops:suspend'])
  expect(scopesOfGroups(groups, 'viewers')).toEqual(['ops:read'])
  for (const none of [undefined, null, [], ['others'], 'others', { viewers: true }, [['viewers']], 1])
    expect(scopesOfGroups(groups, none)).toEqual([])
})
