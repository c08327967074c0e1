import { readConfig } from '@financial-agents/runtime/config'
import { expect, test } from 'vitest'
import { gatewayConfig } from './config.ts'

const key = Buffer.alloc(32, 1).toString('base64')
const env = {
  NATS_URL: 'nats://127.0.0.1:4222',
  NATS_NKEY_SEED: 'seed',
  ENVIRONMENT: 'production',
  PUBLIC_BASE_URL: 'https://api.example.test/',
  NONCE_KEY: key,
  REQUEST_HASH_KEY: key,
}

test('an unset variable has its default: no capability, no trusted proxy, the limits of the API', () => {
  expect(readConfig(gatewayConfig, { ...env, ENABLED_CAPABILITIES: '', TRUSTED_PROXIES: '' })).toMatchObject({
    PUBLIC_BASE_URL: 'https://api.example.test',
    ENABLED_CAPABILITIES: [],
    TRUSTED_PROXIES: [],
    GRANT_RATE_PER_S: 20,
    GRANT_BURST: 40,
    ADDRESS_RATE_PER_S: 10,
    ADDRESS_BURST: 30,
    REQUEST_DEADLINE_MS: 5_000,
    REQUEST_TIMEOUT_MS: 30_000,
    CONNECTION_STALL_MS: 60_000,
  })
})

test('the console may have an origin of its own, and has the origin of the API by default', () => {
  const own = { CONSOLE_BASE_URL: 'https://console.example.test/' }
  expect(readConfig(gatewayConfig, { ...env, ...own }).CONSOLE_BASE_URL).toBe('https://console.example.test')
  expect(readConfig(gatewayConfig, { ...env, CONSOLE_BASE_URL: '' }).CONSOLE_BASE_URL).toBeUndefined()
})

test('lists are read', () => {
  const lists = { ENABLED_CAPABILITIES: 'cards.reveal, transfers.execute', TRUSTED_PROXIES: '10.0.0.0/8,::1,loopback' }
  expect(readConfig(gatewayConfig, { ...env, ...lists })).toMatchObject({
    ENABLED_CAPABILITIES: ['cards.reveal', 'transfers.execute'],
    TRUSTED_PROXIES: ['10.0.0.0/8', '::1', 'loopback'],
  })
})

test.each([
  ['PUBLIC_BASE_URL', 'https://api.example.test/v1'],
  ['PUBLIC_BASE_URL', 'ftp://api.example.test'],
  ['CONSOLE_BASE_URL', 'https://api.example.test/ops'],
  ['CONSOLE_BASE_URL', 'console.example.test'],
  ['NONCE_KEY', Buffer.alloc(31).toString('base64')],
  ['ENABLED_CAPABILITIES', 'purchases.exact_execute'],
  ['TRUSTED_PROXIES', '10.0.0.0/33'],
  ['TRUSTED_PROXIES', 'proxy.example'],
  ['GRANT_RATE_PER_S', '-1'],
  ['PORT', '70000'],
  ['FIRST_CLIENT_ID', '<b>'],
  ['CONNECTION_STALL_MS', '0'],
])('%s=%s is refused by name', (name, value) => {
  expect(() => readConfig(gatewayConfig, { ...env, [name]: value })).toThrow(name)
})
