/**
 * `keys rotate` publishes a new signing key. `keys list` shows every key with its stage. Running replicas and gateways
 * follow without a restart. Private parts are never printed.
 */

import { withDatabase } from '@financial-agents/postgres/command-database'
import { type Database } from '@financial-agents/postgres/database'
import { defineCommand, linesOf, UsageError } from '@financial-agents/runtime/command'
import { databaseUrlConfig, type Environment, readConfig } from '@financial-agents/runtime/config'
import { createSealer, sealingKeys } from '@financial-agents/runtime/sealing'
import { z } from 'zod'
import { listKeys, rotateKeys, usualLeadMs } from '../signing-keys/rotate-keys.ts'

const rotateConfig = databaseUrlConfig.extend({ SEALING_KEYS: sealingKeys })

export const command = defineCommand({
  summary: 'rotate or list the signing keys',
  usage: [
    [
      'keys rotate [--lead-seconds <n>]',
      'publish a new signing key; it signs after the lead (90 s unless said otherwise)',
    ],
    ['keys list [--json]', 'every key that is published: next, signing or retired; needs no SEALING_KEYS'],
  ],
  config: rotateConfig,
  options: { json: { type: 'boolean' }, 'lead-seconds': { type: 'string' } },
  run: async ({ positionals: [action, ...more], values, environment }) => {
    if (more.length > 0 || (action !== 'rotate' && action !== 'list'))
      throw new UsageError('say what to do: keys rotate or keys list (--help says more)')
    return action === 'rotate'
      ? rotate(leadMsOf(values['lead-seconds']), environment)
      : list(values.json ?? false, environment)
  },
})

async function rotate(leadMs: number, environment: Environment): Promise<string[]> {
  const config = readConfig(rotateConfig, environment)
  const sealer = createSealer(config.SEALING_KEYS)
  const key = await withKeys(config, (db) => rotateKeys(db, sealer, { now: new Date(), leadMs }))
  return [`key ${key.kid}: published, signs from ${key.signs_from.toISOString()}`]
}

async function list(json: boolean, environment: Environment): Promise<string[]> {
  const config = readConfig(databaseUrlConfig, environment)
  const keys = await withKeys(config, (db) => listKeys(db, new Date()))
  if (json) return [JSON.stringify(keys)]
  const rows = keys.map((key) => {
    const times = [key.created_at, key.signs_from, key.retires_at, key.removed_after]
    return [key.kid, key.stage, ...times.map((time) => time?.toISOString() ?? '-')]
  })
  return linesOf([['kid', 'stage', 'published', 'signs from', 'retires', 'removed after'], ...rows])
}

function leadMsOf(seconds: string | undefined): number {
  if (seconds === undefined) return usualLeadMs
  const parsed = z.coerce.number().int().min(0).max(86_400).safeParse(seconds)
  if (!parsed.success) throw new UsageError('--lead-seconds must be a whole number from 0 to 86400')
  return parsed.data * 1_000
}

function withKeys<Result>(config: { DATABASE_URL: string }, work: (db: Database) => Promise<Result>): Promise<Result> {
  return withDatabase({ connectionString: config.DATABASE_URL, service: 'authz', command: 'keys' }, work)
}
