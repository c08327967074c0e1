/** The documentation site as it is built: its links, its policies and its samples. `test/pages` sees it in a browser. */

import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { routes } from '@financial-agents/contract/routes'
import { base } from '@financial-agents/docs/site'
import { say } from '@financial-agents/servers/say'
import { keepSite } from '@financial-agents/testkit/keep-site'
import { run } from '@stricli/core'
import { type HTMLElement, parse } from 'node-html-parser'
import { beforeAll, expect, test } from 'vitest'
import { parse as parseYaml, stringify } from 'yaml'
import { app } from '../../libs/clients/cli/src/app.ts'
import { registration } from '../../services/authz/src/registration/registration.ts'
import { parseRegistrations } from '../../services/authz/src/registration/registration-file.ts'
import { run as runProgram } from '../interop/run.ts'
import { findMisspelt } from './spelling.ts'

/** The values of the chart that declare clients. */
type Values = { clients: { declarations: unknown[] } }

const root = join(import.meta.dirname, '../..')

let siteFolder: string
const pages = new Map<string, HTMLElement>()

beforeAll(async () => {
  siteFolder = await keepSite({ log: say })
  for (const file of readdirSync(siteFolder, { recursive: true, encoding: 'utf8' }))
    if (file.endsWith('index.html'))
      pages.set(`${base}/${file.replace(/index\.html$/, '')}`, parse(readFileSync(join(siteFolder, file), 'utf8')))
})

test('every route has a page', () => {
  const named = [...pages.keys()].filter((path) => /\/reference\/routes\/[^/]+\/[^/]+\/$/.test(path))
  expect(named).toHaveLength(Object.keys(routes).length)
})

test('every link within the site leads to a page, and every anchor to a heading', () => {
  const broken = [...pages].flatMap(([path, page]) =>
    page
      .querySelectorAll('a[href], link[href], script[src]')
      .map((element) => element.getAttribute('href') ?? element.getAttribute('src') ?? '')
      .filter((target) => !leads(target, path))
      .map((target) => `${path}: ${target}`),
  )
  expect(broken).toEqual([])
})

test('every word is in a dictionary or in words.txt', () => {
  const misspelt = [...pages].flatMap(([path, page]) => findMisspelt(page).map((word) => `${path}: ${word}`))
  expect(misspelt).toEqual([])
})

test('a page loads nothing from elsewhere, has no style attribute, and its policy names each inline script', () => {
  for (const [path, page] of pages) {
    const policy = page.querySelector('meta[http-equiv=content-security-policy]')?.getAttribute('content') ?? ''
    expect(policy, path).toMatch(/^default-src 'none'; script-src 'self' 'wasm-unsafe-eval'( 'sha256-[^']+')*; /)
    expect(policy, path).not.toMatch(/unsafe-inline|'unsafe-eval'|https?:/)
    expect(page.querySelectorAll('[style]').map(String), path).toEqual([])
    const loaded = page.querySelectorAll('[src], link[rel=stylesheet]')
    const addresses = loaded.map((element) => element.getAttribute('src') ?? element.getAttribute('href') ?? '')
    expect(addresses.filter((address) => !address.startsWith(`${base}/`))).toEqual([])
  }
})

test('each page is Markdown too, and llms.txt lists all', () => {
  const listed = [...readFileSync(join(siteFolder, 'llms.txt'), 'utf8').matchAll(/^- \[.+\]\((\S+)\): \S/gm)]
  expect(listed).toHaveLength(pages.size)
  for (const [, address = ''] of listed)
    expect(readFileSync(join(siteFolder, address.slice(base.length)), 'utf8'), address).toMatch(/^# .+\n\n> \S/)
})

test('llms-full.txt contains each page, those for users first, and the sitemap names each', () => {
  const full = readFileSync(join(siteFolder, 'llms-full.txt'), 'utf8')
  const contained = [...full.matchAll(/^<!-- (\S+) -->$/gm)].map(([, address = '']) => address)
  expect(contained.toSorted()).toEqual([...pages.keys()].toSorted())
  const operate = contained.map((address) => address.startsWith(`${base}/operate/`))
  expect(operate.lastIndexOf(false)).toBeLessThan(operate.indexOf(true))
  const named = [...readFileSync(join(siteFolder, 'sitemap.xml'), 'utf8').matchAll(/<loc>(.+?)<\/loc>/g)]
  expect(named.map(([, address = '']) => new URL(address).pathname).toSorted()).toEqual(contained.toSorted())
})

test('no page installs a package from a registry that has it not', () => {
  const fromRegistry =
    /(?:npm (?:i|install|add)|pnpm add|yarn add|npx(?: -y)?|pip install|uvx?|pipx)\s+@?financial-agents|"@financial-agents\/mcp"/
  const found = [...pages].filter(([, page]) => fromRegistry.test(page.text)).map(([path]) => path)
  expect(found).toEqual([])
})

test('each page has the version, and a way to say what is wrong', () => {
  for (const [path, page] of pages) {
    expect(page.querySelector('header .version')?.text, path).toMatch(/^\d+\.\d+\.\d+$/)
    expect(page.querySelector('.feedback a')?.getAttribute('href'), path).toContain(encodeURIComponent(path))
  }
})

test('every sample in TypeScript compiles against the client', async () => {
  const samples = samplesIn('ts')
  expect(samples.length).toBeGreaterThan(50)
  const functions = samples.map((sample, index) => `export async function sample${index}() {\n${sample}}\n`)
  const head = "import type { Agent } from '@financial-agents/client'\n\ndeclare const agent: Agent\n"
  await compile([`${head}${functions.join('')}`])
})

test('every program in TypeScript of a guide compiles against the client', async () => {
  const guides = readdirSync(join(siteFolder, 'how-to')).map((file) => join('how-to', file))
  const files = [...guides.filter((file) => file.endsWith('.md')), 'reference/errors.md']
  const texts = files.map((file) => readFileSync(join(siteFolder, file), 'utf8'))
  // A block with a title after `ts` is a recipe, which is tested as a file of the repository.
  const programs = texts.flatMap((text) => [...text.matchAll(/```ts\n(import .*?)```/gs)].map(([, code = '']) => code))
  expect(programs.length).toBeGreaterThanOrEqual(5)
  await compile(programs)
})

test('the registrations of the page are accepted as they stand there', () => {
  const text = readFileSync(join(siteFolder, 'how-to/register-client.md'), 'utf8')
  const declared = [...text.matchAll(/```yaml\n(.*?)```/gs)].map(([, values = '']) => parseYaml(values) as Values)
  expect(declared).toHaveLength(2)
  for (const { clients } of declared)
    expect(parseRegistrations('values', stringify({ clients: clients.declarations }), registration)).toHaveLength(1)
})

test('every sample in Python is Python', async ({ skip }) => {
  skip(!hasPython(), 'there is no python3, which parses the samples')
  const samples = samplesIn('python')
  expect(samples).toHaveLength(samplesIn('ts').length)
  const program = 'import ast, json, sys; [ast.parse(sample) for sample in json.load(sys.stdin)]'
  const { status, stderr } = spawnSync('python3', ['-c', program], {
    input: JSON.stringify(samples),
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  expect(status).toBe(0)
})

test('every sample of the command line names a command with flags that it takes', async () => {
  const lines = samplesIn('sh').filter((text) => text.startsWith('financial-agents '))
  expect(lines).toHaveLength(Object.values(routes).filter(({ cli }) => cli !== null).length)
  expect(await refusalOf(['cards', 'create', '--typ', 'virtual'])).toContain('typ')
  for (const line of lines) {
    const words = [...line.trim().matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '')
    expect(await refusalOf(words.slice(1)), line).toBe('')
  }
})

/** Compiles each program as a module of its own. */
async function compile(programs: readonly string[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'financial-agents-samples-'))
  try {
    await symlink(join(root, 'test/node_modules'), join(folder, 'node_modules'))
    await Promise.all(programs.map((program, index) => writeFile(join(folder, `program${index}.ts`), program)))
    const typeRoots = [join(root, 'node_modules/@types')]
    const compilerOptions = { noUnusedLocals: false, lib: ['esnext', 'dom'], types: ['node'], typeRoots }
    const config = { extends: join(root, 'tsconfig.json'), compilerOptions, include: ['*.ts'], exclude: [] }
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
    await runProgram({ command: join(root, 'node_modules/.bin/tsc'), args: ['-p', folder], cwd: folder })
  } finally {
    await rm(folder, { recursive: true })
  }
}

function hasPython(): boolean {
  return spawnSync('python3', ['--version']).status === 0
}

/**
 * Returns the error message of the command line for these words; empty if a command accepts them. No command runs:
 * there is no profile.
 */
async function refusalOf(words: readonly string[]): Promise<string> {
  const said: string[] = []
  const write = (text: string, written?: () => void) => {
    said.push(text)
    written?.()
  }
  const stream = { write, isTTY: false }
  const env = { FINANCIAL_AGENTS_HOME: join(tmpdir(), 'financial-agents-no-profile'), FINANCIAL_AGENTS_KEYCHAIN: 'off' }
  const process = {
    stdin: { isTTY: false },
    stdout: stream,
    stderr: stream,
    env,
    exitCode: undefined as number | undefined,
    once: () => {},
  }
  await run(app, words, { process } as never)
  // The library sets a negative exit code for words that it does not understand.
  return (process.exitCode ?? 0) < 0 ? said.join('') : ''
}

/** The first sample in a language on each page of a route. */
function samplesIn(language: string): string[] {
  const folder = join(siteFolder, 'reference/routes')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.md'))
  const sample = new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's')
  return files.flatMap((file) => sample.exec(readFileSync(join(folder, file), 'utf8'))?.[1] ?? [])
}

/** True if the address is one of the site's pages or files, or is another site's. */
function leads(target: string, from: string): boolean {
  const url = new URL(target, `http://site${from}`)
  if (url.host !== 'site') return /^(?:https:|http:\/\/127\.0\.0\.1)/.test(target)
  // The gateway serves the document beside the site.
  if (url.pathname === '/v1/openapi.json') return true
  const page = pages.get(url.pathname)
  if (page === undefined)
    return existsSync(join(siteFolder, url.pathname.slice(base.length))) && !url.pathname.endsWith('/')
  return url.hash === '' || page.getElementById(decodeURIComponent(url.hash.slice(1))) !== null
}
