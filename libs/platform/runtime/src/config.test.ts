/** The messages for an operator who starts a program with missing or invalid variables. */

import { expect, test } from 'vitest'
import { z } from 'zod'
import { base64Key, busConfig, commonConfig, readConfig } from './config.ts'

const schema = z.object({
  ...commonConfig.shape,
  ...busConfig.shape,
  CURSOR_KEY: base64Key(32),
  WAIT_MS: z.coerce.number(),
})
const env = { ENVIRONMENT: 'test', NATS_URL: 'nats://localhost', NATS_NKEY_SEED: 'seed', CURSOR_KEY: '', WAIT_MS: '10' }
const key = Buffer.alloc(32).toString('base64')

test('every missing variable is named at once, including empty ones', () => {
  expect(() => readConfig(schema, {})).toThrow(
    'configuration: ENVIRONMENT (not set: one of local, test, production); NATS_URL (not set); NATS_NKEY_SEED (not set); CURSOR_KEY (not set); WAIT_MS (not set)',
  )
  expect(() => readConfig(schema, env)).toThrow(/^configuration: CURSOR_KEY \(not set\)$/)
})

test('an invalid variable is named with its required form, and without its value', () => {
  const wrong = { ...env, ENVIRONMENT: 's3cret', CURSOR_KEY: 's3cret', WAIT_MS: 's3cret' }
  expect(() => readConfig(schema, wrong)).toThrow(
    /^configuration: ENVIRONMENT \(.*"local"\|"test"\|"production"\); CURSOR_KEY \(must be the base64 of 32 bytes\); WAIT_MS \(.*number.*\)$/,
  )
  expect(() => readConfig(schema, wrong)).not.toThrow('s3cret')
})

test('a failed refinement is reported with its own message', () => {
  const refined = schema.refine((given) => given.LOG_LEVEL !== 'debug', { path: ['NATS_CA_FILE'], error: 'with debug' })
  const given = { ...env, CURSOR_KEY: key, LOG_LEVEL: 'debug' }
  expect(() => readConfig(refined, given)).toThrow('configuration: NATS_CA_FILE (with debug)')
})
