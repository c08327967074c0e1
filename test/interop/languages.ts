/**
 * Clients in other languages, and the programs of the machine that each needs. The versions are exact, so that a run validates the
 * document and not a release of a generator.
 */

import { createHash } from 'node:crypto'
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Program, run } from './run.ts'
import { buildTypescript, byHeyApi, byOpenapiTypescript, type Generate } from './typescript.ts'

const versions = {
  cryptography: '50.0.2',
  oapiCodegen: 'v2.8.2',
  openapiGenerator: '7.25.0',
  openapiPythonClient: '0.29.1',
}
const openapiGeneratorSha256 = '41ce4f6b07f196676439d710759fa1ced7a08066d06ff1bf314681470289efae'

/** A generator: its needs, and how a program with its client is built in a folder of its own. */
export type Generator = {
  name: string
  /** Programs beside Node, each with the option that makes it print its version. */
  needs: readonly (readonly [command: string, versionOption: string])[]
  build(folder: string, document: string): Promise<Program>
}

const programs = join(import.meta.dirname, 'programs')

async function pythonClient(folder: string, document: string): Promise<Program> {
  await run({ command: 'python3', args: ['-m', 'venv', 'venv'], cwd: folder })
  const python = join(folder, 'venv/bin/python')
  const packages = [
    `openapi-python-client==${versions.openapiPythonClient}`,
    `cryptography==${versions.cryptography}`,
    'httpx',
  ]
  await run({ command: python, args: ['-m', 'pip', 'install', '--quiet', ...packages], cwd: folder })
  const client = ['generate', '--path', document, '--output-path', 'client', '--meta', 'none', '--overwrite']
  await run({ command: join(folder, 'venv/bin/openapi-python-client'), args: client, cwd: folder })
  await run({ command: 'mv', args: ['client', 'financial_agents_api_client'], cwd: folder })
  await run({ command: python, args: ['-m', 'compileall', '-q', 'financial_agents_api_client'], cwd: folder })
  await copyFile(join(programs, 'main.py'), join(folder, 'main.py'))
  return { command: python, args: ['main.py'], cwd: folder }
}

async function goClient(folder: string, document: string): Promise<Program> {
  const go = (...args: string[]) => run({ command: 'go', args, cwd: folder })
  await mkdir(join(folder, 'api'))
  await copyFile(join(programs, 'main.go'), join(folder, 'main.go'))
  await go('mod', 'init', 'interop')
  const generator = `github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@${versions.oapiCodegen}`
  await go('run', generator, '-generate', 'types,client', '-package', 'api', '-o', 'api/api.go', document)
  await go('mod', 'tidy')
  await go('build', '-o', 'program', '.')
  return { command: join(folder, 'program'), args: [], cwd: folder }
}

/** Downloads openapi-generator once for all its clients. */
async function openapiGenerator(folder: string): Promise<string> {
  const file = join(folder, `../openapi-generator-${versions.openapiGenerator}.jar`)
  if (await readFile(file).catch(() => undefined)) return file
  const path = `org/openapitools/openapi-generator-cli/${versions.openapiGenerator}`
  const name = `openapi-generator-cli-${versions.openapiGenerator}.jar`
  const response = await fetch(`https://repo1.maven.org/maven2/${path}/${name}`)
  const jar = Buffer.from(await response.arrayBuffer())
  if (createHash('sha256').update(jar).digest('hex') !== openapiGeneratorSha256)
    throw new Error(`${name} is another file`)
  await writeFile(file, jar)
  return file
}

async function generateByJar(document: string, folder: string, options: readonly string[]): Promise<void> {
  const jar = await openapiGenerator(folder)
  await run({ command: 'java', args: ['-jar', jar, 'generate', '-i', document, ...options], cwd: folder })
}

const byTypescriptFetch: Generate = (document, folder) =>
  generateByJar(document, folder, ['-g', 'typescript-fetch', '-o', 'generated'])

async function javaClient(folder: string, document: string): Promise<Program> {
  await generateByJar(document, folder, ['-g', 'java', '--library', 'native', '-o', 'client'])
  const client = join(folder, 'client')
  await copyFile(join(programs, 'Main.java'), join(client, 'src/main/java/Main.java'))
  const classpath = 'dependency:build-classpath'
  await run({ command: 'mvn', args: ['-q', '-B', 'compile', classpath, '-Dmdep.outputFile=classpath'], cwd: client })
  const libraries = (await readFile(join(client, 'classpath'), 'utf8')).trim()
  return { command: 'java', args: ['-cp', `target/classes:${libraries}`, 'Main'], cwd: client }
}

const typescript = (program: string, generate: Generate, looser = {}) => ({
  needs: [],
  build: (folder: string, document: string) => buildTypescript(folder, { document, program, generate, looser }),
})

const java = ['java', '-version'] as const

export const generators: readonly Generator[] = [
  { name: 'openapi-typescript', ...typescript('openapi-fetch.ts', byOpenapiTypescript) },
  { name: '@hey-api/openapi-ts', ...typescript('hey-api.ts', byHeyApi, { exactOptionalPropertyTypes: false }) },
  { name: 'openapi-python-client', needs: [['python3', '--version']], build: pythonClient },
  { name: 'oapi-codegen', needs: [['go', 'version']], build: goClient },
  {
    name: 'openapi-generator typescript-fetch',
    ...typescript('typescript-fetch.ts', byTypescriptFetch, {
      exactOptionalPropertyTypes: false,
      noUnusedLocals: false,
      noUnusedParameters: false,
      noImplicitOverride: false,
    }),
    needs: [java],
  },
  { name: 'openapi-generator java', needs: [java, ['mvn', '--version']], build: javaClient },
]
