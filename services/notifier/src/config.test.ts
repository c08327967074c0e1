import { randomBytes } from 'node:crypto'
import { ConfigError, readConfig } from '@financial-agents/runtime/config'
import { expect, test } from 'vitest'
import { notifierConfig } from './config.ts'

const key = randomBytes(32).toString('base64')
const env = {
  ENVIRONMENT: 'production',
  NATS_URL: 'nats://unused',
  NATS_NKEY_SEED: 'unused',
  DATABASE_URL: 'postgres://unused',
  SEALING_KEYS: `s:${key}`,
  CURSOR_KEY: key,
}

test('loopback is refused by default, and in production it cannot be allowed', () => {
  expect(readConfig(notifierConfig, env)).toMatchObject({ WEBHOOK_LOOPBACK: 'refused', WEBHOOK_TIMEOUT_MS: 10_000 })
  const given = { ...env, WEBHOOK_LOOPBACK: 'allowed' }
  expect(() => readConfig(notifierConfig, given)).toThrow(ConfigError)
  expect(readConfig(notifierConfig, { ...given, ENVIRONMENT: 'local' }).WEBHOOK_LOOPBACK).toBe('allowed')
})

test('signing keys are 32-byte seeds with ids, and may be missing', () => {
  expect(readConfig(notifierConfig, env).WEBHOOK_SIGNING_KEYS).toBeUndefined()
  const two = readConfig(notifierConfig, { ...env, WEBHOOK_SIGNING_KEYS: `b:${key},a:${key}` }).WEBHOOK_SIGNING_KEYS
  expect(two?.map(({ id }) => id)).toEqual(['b', 'a'])
  for (const wrong of ['b', `b:${key.slice(4)}`, key])
    expect(() => readConfig(notifierConfig, { ...env, WEBHOOK_SIGNING_KEYS: wrong })).toThrow(ConfigError)
})

test('events of owners need a secret, signing keys and an https address', () => {
  const given = { ...env, WEBHOOK_SIGNING_KEYS: `a:${key}`, OWNER_EVENTS_SECRET: key }
  const url = 'https://platform.example/owners'
  expect(readConfig(notifierConfig, { ...given, OWNER_EVENTS_URL: url })).toMatchObject({
    OWNER_EVENTS_CAP_PERCENT: 80,
  })
  for (const missing of ['WEBHOOK_SIGNING_KEYS', 'OWNER_EVENTS_SECRET'])
    expect(() => readConfig(notifierConfig, { ...given, OWNER_EVENTS_URL: url, [missing]: undefined })).toThrow(
      ConfigError,
    )
  for (const wrong of [
    'http://platform.example',
    'https://me:pass@platform.example',
    'http://127.0.0.1:80',
    'platform',
  ])
    expect(() => readConfig(notifierConfig, { ...given, OWNER_EVENTS_URL: wrong })).toThrow(ConfigError)
})
