import { readConfig } from '@financial-agents/runtime/config'
import { expect, test } from 'vitest'
import { authzConfig } from './config.ts'

const key = Buffer.alloc(32, 1).toString('base64')
const env = {
  ENVIRONMENT: 'production',
  DATABASE_URL: 'postgres://authz@localhost/x',
  NATS_URL: 'nats://localhost',
  NATS_NKEY_SEED: 'seed',
  PUBLIC_BASE_URL: 'https://api.example.com',
  SEALING_KEYS: `a:${key}`,
  PAIRWISE_KEY: key,
  DPOP_NONCE_KEY: key,
}

test('a complete environment is read', () => {
  expect(readConfig(authzConfig, env)).toMatchObject({ FEED_PAUSE_MS: 250, PUBLIC_BASE_URL: env.PUBLIC_BASE_URL })
})

test.each([
  ['an issuer with a path', { PUBLIC_BASE_URL: 'https://api.example.com/x' }, 'PUBLIC_BASE_URL'],
  ['an issuer with a slash', { PUBLIC_BASE_URL: 'https://api.example.com/' }, 'PUBLIC_BASE_URL'],
  ['plain http in production', { PUBLIC_BASE_URL: 'http://api.example.com' }, 'PUBLIC_BASE_URL'],
  ['a short key', { PAIRWISE_KEY: 'AAAA' }, 'PAIRWISE_KEY'],
  ['the library asked to print what it sees', { DEBUG: 'oidc-provider:*' }, 'DEBUG'],
])('%s is refused by name, without the value', (_name, wrong, variable) => {
  const refusal = () => readConfig(authzConfig, { ...env, ...wrong })
  expect(refusal).toThrow(variable)
  expect(refusal).not.toThrow(Object.values(wrong)[0])
})
