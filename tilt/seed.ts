/**
 * Prepares the namespace of the development profile before the installation: the Secrets of every component, and the clients and
 * owners of the API with their keys. The files are created once and kept in `.tilt`, so that a second `tilt up` changes nothing. They
 * are applied each time. No secret is printed, or written where other users can read it.
 */

import { access, mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { defineCommand, UsageError } from '@financial-agents/runtime/command'
import { runCommand } from '@financial-agents/runtime/program'
import { runToEnd } from '@financial-agents/servers/child-process'
import { type SeededClient, writeSeed } from '@financial-agents/testkit/seed'
import { parse, stringify } from 'yaml'
import { folder, stackFile } from './files.ts'

/** The forwarded addresses of the Tiltfile, and the declared clients. */
export type TiltStack = {
  base_url: string
  provider_url: string
  identity_provider_url: string
  clients: SeededClient[]
}

const addresses = {
  base_url: 'http://localhost:8080',
  provider_url: 'http://localhost:4010',
  identity_provider_url: 'http://localhost:4020',
}
const repository = join(import.meta.dirname, '..')
const secretsFolder = join(folder, 'secrets')
const seedFolder = join(folder, 'seed')

const exists = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  )

/** Creates clients with their keys, and owners with their connections. `stackFile` is written last: it marks the seed as complete. */
async function makeSeed(): Promise<void> {
  if (await exists(stackFile)) return
  await mkdir(seedFolder, { recursive: true, mode: 0o700 })
  const { clientsFile, bindingsFile, clients } = await writeSeed(seedFolder)
  const manifests = [
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'financial-agents-seed-clients' },
      data: { 'clients.yaml': await readFile(clientsFile, 'utf8') },
    },
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'financial-agents-seed-bindings' },
      stringData: await readBindings(bindingsFile),
    },
  ]
  await writePrivately(join(seedFolder, 'manifests.yaml'), manifests.map((each) => stringify(each)).join('---\n'))
  const stack: TiltStack = { ...addresses, clients }
  await writePrivately(stackFile, `${JSON.stringify(stack, null, 2)}\n`)
}

/** Reads the file of bindings and the files that it names. The names become relative, because all files share one Secret. */
async function readBindings(file: string): Promise<Record<string, string>> {
  const { bindings } = parse(await readFile(file, 'utf8')) as { bindings: { credentials_file: string }[] }
  const entries: Record<string, string> = {}
  for (const binding of bindings) {
    const name = basename(binding.credentials_file)
    entries[name] = await readFile(binding.credentials_file, 'utf8')
    binding.credentials_file = name
  }
  return { ...entries, 'bindings.yaml': stringify({ bindings }) }
}

function writePrivately(file: string, text: string): Promise<void> {
  return writeFile(file, text, { mode: 0o600 })
}

/** Applies the manifests on the server side. A client-side apply would copy them, Secrets included, into an annotation. */
async function apply(context: string, namespace: string): Promise<void> {
  const kubectl = (...args: string[]) => runToEnd('kubectl', 'kubectl', ['--context', context, ...args])
  const applying = ['apply', '--server-side', '--force-conflicts', '--namespace', namespace]
  const manifest = stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })
  await writePrivately(join(folder, 'namespace.yaml'), manifest)
  await kubectl(...applying, '-f', join(folder, 'namespace.yaml'))
  await kubectl(...applying, '-f', secretsFolder, '-f', join(seedFolder, 'manifests.yaml'))
}

export const command = defineCommand({
  summary: 'prepare the namespace of the development profile: Secrets, clients and bindings',
  usage: [['tilt/seed.ts --context <name>', 'in this Kubernetes context']],
  optionMeanings: [['--namespace <name>', 'another namespace (financial-agents)']],
  options: { context: { type: 'string' }, namespace: { type: 'string', default: 'financial-agents' } },
  run: async ({ values: { context, namespace } }) => {
    if (context === undefined) throw new UsageError('--context: name the Kubernetes context')
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const secrets = ['deploy/src/create-secrets.ts', '--development', '--add', '--out', secretsFolder]
    await runToEnd('create-secrets', process.execPath, secrets, { cwd: repository })
    await makeSeed()
    await apply(context, namespace)
    return [`namespace ${namespace}: Secrets, clients and bindings are there; clients and keys: ${stackFile}`]
  },
})

if (import.meta.main) runCommand('seed', command, 'node')
