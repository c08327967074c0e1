/**
 * Command: `keys rotate` publishes a new signing key, `keys list` shows every key with its stage. Running replicas and
 * gateways follow by themselves. Private parts are never printed.
 */

import { databaseConfig, readConfig } from '@financial-agents/runtime/config'
import { createSealer, sealingKeys } from '@financial-agents/runtime/sealing'
import { z } from 'zod'
import { runCommandLine, tableOf, withDatabase } from './command-line.ts'
import { listKeys, rotateKeys, usualLeadMs } from './signing-keys/rotate-keys.ts'

const usage = [
  'keys rotate [--lead-seconds <n>]   publish a new signing key; it signs after the lead (90 s unless said otherwise)',
  'keys list [--json]                 every key that is published: next, signing or retired',
  'Takes DATABASE_URL; rotate takes SEALING_KEYS too.',
]

await runCommandLine({
  name: 'keys',
  usage,
  takes: ['json', 'lead-seconds'],
  work: ({ positionals, json, leadSeconds }) => {
    const [action, ...more] = positionals
    if (more.length > 0 || (action !== 'rotate' && action !== 'list'))
      throw new Error('say what to do: keys rotate or keys list (--help says more)')
    return action === 'rotate' ? rotate(leadMsOf(leadSeconds)) : list(json)
  },
})

async function rotate(leadMs: number): Promise<string[]> {
  const config = readConfig(databaseConfig.extend({ SEALING_KEYS: sealingKeys }), process.env)
  const sealer = createSealer(config.SEALING_KEYS)
  const key = await withDatabase(config.DATABASE_URL, 'keys', (db) =>
    rotateKeys(db, sealer, { now: new Date(), leadMs }),
  )
  return [`key ${key.kid}: published, signs from ${key.signs_from.toISOString()}`]
}

async function list(json: boolean): Promise<string[]> {
  const config = readConfig(databaseConfig, process.env)
  const keys = await withDatabase(config.DATABASE_URL, 'keys', (db) => listKeys(db, new Date()))
  if (json) return [JSON.stringify(keys)]
  const rows = keys.map((key) => {
    const times = [key.created_at, key.signs_from, key.retires_at, key.removed_after]
    return [key.kid, key.stage, ...times.map((time) => time?.toISOString() ?? '-')]
  })
  return tableOf(['kid', 'stage', 'published', 'signs from', 'retires', 'removed after'], rows)
}

function leadMsOf(seconds: string | undefined): number {
  if (seconds === undefined) return usualLeadMs
  const parsed = z.coerce.number().int().min(0).max(86_400).safeParse(seconds)
  if (!parsed.success) throw new Error('--lead-seconds must be a whole number from 0 to 86400')
  return parsed.data * 1_000
}
