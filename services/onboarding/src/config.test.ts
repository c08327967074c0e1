import { readConfig } from '@financial-agents/runtime/config'
import { expect, test } from 'vitest'
import { onboardingConfig } from './config.ts'

const env = {
  ENVIRONMENT: 'local',
  DATABASE_URL: 'postgres://onboarding@localhost/x',
  NATS_URL: 'nats://localhost',
  NATS_NKEY_SEED: 'seed',
  PAYLOAD_KEYS: `p:${Buffer.alloc(32, 2).toString('base64')}`,
  PROVIDER_URL: 'http://127.0.0.1:4010',
  CREDENTIAL_KEYS: `a:${Buffer.alloc(32, 1).toString('base64')}`,
}
const fake = { DEVICE_AUTHENTICATION: 'fake' }

test('owners cannot sign in unless it says how', () => {
  expect(readConfig(onboardingConfig, env)).toMatchObject({ DEVICE_AUTHENTICATION: 'unavailable' })
  expect(readConfig(onboardingConfig, { ...env, ...fake })).toMatchObject(fake)
})

test('production runs without a provider to sign in at', () => {
  const config = readConfig(onboardingConfig, { ...env, ENVIRONMENT: 'production' })
  expect(config.DEVICE_AUTHENTICATION).toBe('unavailable')
})

test.each([
  ['no name of a provider', { ...fake, DEVICE_AUTHENTICATION: 'A bank' }, /DEVICE_AUTHENTICATION/],
  ['a missing key', { CREDENTIAL_KEYS: '' }, /CREDENTIAL_KEYS/],
])('%s is refused by name', (_name, wrong, message) => {
  expect(() => readConfig(onboardingConfig, { ...env, ...wrong })).toThrow(message)
})
