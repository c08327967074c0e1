/**
 * The command `create-secrets`: it makes all keys and Secrets of an installation, and takes the steps of a key
 * rotation. It prints names only.
 */

import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type Command, defineCommand, UsageError } from '@financial-agents/runtime/command'
import { runCommand } from '@financial-agents/runtime/program'
import { z } from 'zod'
import type { PostgresAddress } from './secrets/complete.ts'
import { createSecrets, rotateSecret } from './secrets/create.ts'
import { defaultPrefix, natsSecretName, postgresSecretName } from './secrets/names.ts'
import { type RotationStep, rotationSteps } from './secrets/rotate.ts'
import { createPassword } from './secrets/values.ts'

const options = {
  out: { type: 'string' },
  prefix: { type: 'string' },
  namespace: { type: 'string' },
  'postgres-host': { type: 'string' },
  'postgres-port': { type: 'string' },
  'postgres-database': { type: 'string' },
  'postgres-sslmode': { type: 'string' },
  'postgres-ca-file': { type: 'string' },
  'operator-idp-client-secret-file': { type: 'string' },
  development: { type: 'boolean' },
  add: { type: 'boolean' },
  rotate: { type: 'string' },
  step: { type: 'string' },
} as const

const usage = [
  ['create-secrets --postgres-host <name>', 'make all Secrets; keep those that exist'],
  ['create-secrets --development', "the same for the chart's development profile, which brings NATS and PostgreSQL"],
  ['create-secrets --rotate <variable> --step <step>', 'replace a key; roll out the changes after each step'],
] as const

const optionMeanings = [
  ['--out <folder>', 'where the manifests go (./secrets); within a repository, a folder that git ignores'],
  ['--prefix <name>', `the start of each Secret's name (${defaultPrefix}): secrets.prefix of the chart`],
  ['--namespace <name>', 'write the namespace into the manifests; without it, give it to kubectl'],
  ['--postgres-port <n>', '5432'],
  ['--postgres-database <name>', 'financial_agents'],
  ['--postgres-sslmode <mode>', 'verify-full; disable with --development'],
  ['--postgres-ca-file <path>', 'the path of the CA file in the containers'],
  ['--operator-idp-client-secret-file <path>', "the console's secret at your organisation's identity provider"],
  ['--add', 'complete a folder that lacks some Secrets, as after an upgrade'],
  ['--rotate <variable>', 'authz/SEALING_KEYS, gateway/NATS_NKEY_SEED: one component; PAYLOAD_KEYS: shared'],
  ['--step <step>', `${rotationSteps.join(', ')}, in this order`],
] as const

const sslmodes = ['disable', 'require', 'verify-ca', 'verify-full']
const name = z.string().regex(/^[a-z0-9]([-a-z0-9]{0,38}[a-z0-9])?$/, 'must be a name as Kubernetes takes it')
const hostName = z
  .string()
  .regex(/^([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])$/, 'must be a host name or address, without a port')

type Values = { -readonly [Name in keyof typeof options]?: string | boolean | undefined }

export const command: Command = defineCommand({
  summary: 'make all keys and Secrets of an installation, without showing one',
  usage,
  optionMeanings,
  options,
  run: async ({ values }) => {
    const given = values as Record<string, string | undefined>
    const where = {
      folder: resolve(given['out'] ?? 'secrets'),
      prefix: checked('prefix', name, given['prefix'] ?? defaultPrefix),
      ...(given['namespace'] === undefined ? {} : { namespace: checked('namespace', name, given['namespace']) }),
    }
    if (given['rotate'] !== undefined) return rotateOne(where, given['rotate'], given['step'])
    if (given['step'] !== undefined) throw new UsageError('--step belongs to --rotate')
    return createAll(where, values)
  },
})

type Where = { folder: string; prefix: string; namespace?: string }

async function createAll(where: Where, values: Values): Promise<string[]> {
  const secretFile = values['operator-idp-client-secret-file']
  const { written, kept } = await createSecrets({
    ...where,
    add: values.add === true,
    postgres: postgresOf(values),
    operatorIdpClientSecret: typeof secretFile === 'string' ? await readGiven(secretFile) : madeUp(values),
  })
  if (written.length === 0) return [`all ${kept.length} Secrets are in ${where.folder}; nothing was changed`]
  const namespace = where.namespace ?? '<namespace>'
  return [
    ...written.map((secret) => `${secret}: written`),
    ...(kept.length === 0 ? [] : [`${kept.length} others are as they were`]),
    '',
    `kubectl apply --server-side -n ${namespace} -f ${where.folder}`,
    `${natsSecretName(where.prefix)} belongs into the namespace of NATS, ${postgresSecretName(where.prefix)} to whoever runs deploy/postgres/roles.sql.`,
    'Keep the folder where only operators read it, or remove it once a store of secrets holds the same: what is lost cannot be made again.',
  ]
}

async function rotateOne(where: Where, what: string, step: string | undefined): Promise<string[]> {
  if (!rotationSteps.includes(step as RotationStep)) throw new UsageError(`--step must be ${rotationSteps.join(', ')}`)
  const {
    written,
    rollOut,
    beforeDrop = 'when nothing needs the former key',
  } = await rotateSecret(where, what, step as RotationStep)
  const next = {
    add: 'Then: --step switch',
    switch: `Then, ${beforeDrop}: --step drop`,
    drop: 'Done',
  }
  return [
    ...written.map((secret) => `${secret}: written`),
    '',
    `kubectl apply --server-side -n ${where.namespace ?? '<namespace>'} ${written.map((file) => `-f ${where.folder}/${file}.yaml`).join(' ')}`,
    `Roll out and wait for: ${rollOut.join(', ')}`,
    next[step as RotationStep],
  ]
}

function postgresOf(values: Values): PostgresAddress {
  const own = { host: values['postgres-host'], sslmode: values['postgres-sslmode'] ?? 'verify-full' }
  const { host, sslmode } = values.development
    ? { host: own.host ?? 'financial-agents-postgres', sslmode: values['postgres-sslmode'] ?? 'disable' }
    : own
  if (host === undefined) throw new UsageError('give --postgres-host <name>, or --development')
  return {
    host: checked('postgres-host', hostName, host),
    port: checked('postgres-port', z.coerce.number().int().min(1).max(65_535), values['postgres-port'] ?? 5432),
    database: checked('postgres-database', z.string().min(1), values['postgres-database'] ?? 'financial_agents'),
    sslmode: checked('postgres-sslmode', z.enum(sslmodes), sslmode),
    caFile: values['postgres-ca-file'] as string | undefined,
  }
}

/** Invents the secret in development. The fake identity provider accepts any secret of the console. */
function madeUp(values: Values): string | undefined {
  return values.development === true ? createPassword() : undefined
}

async function readGiven(file: string): Promise<string> {
  const text = (await readFile(file, 'utf8')).trim()
  if (text === '') throw new Error(`${file} is empty`)
  return text
}

function checked<Schema extends z.ZodType>(option: string, schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw new UsageError(`--${option} ${parsed.error.issues[0]?.message ?? 'is not valid'}`)
  return parsed.data
}

if (import.meta.main) runCommand('create-secrets', command)
