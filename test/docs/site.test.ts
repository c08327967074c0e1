/**
 * The documentation site as it is built: its links, its policies, its samples, and its pages in a browser, as the gateway of a stack
 * serves them. The tutorial is run from the rendered page, line by line and in each of its languages, against that stack.
 */

import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { routes } from '@financial-agents/contract/routes'
import { base } from '@financial-agents/docs/site'
import { launchChromium } from '@financial-agents/servers/chromium'
import { say } from '@financial-agents/servers/say'
import { keepSite } from '@financial-agents/testkit/keep-site'
import { run } from '@stricli/core'
import type { AxeResults, RunOnly } from 'axe-core'
import { type HTMLElement, parse } from 'node-html-parser'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { app } from '../../libs/clients/cli/src/app.ts'
import { run as runProgram } from '../interop/run.ts'
import { installClient, packageFolder } from '../journeys/client-python/installed.ts'
import { endAnimations, photograph } from '../pages/look.ts'
import { startTestStack, type TestStack } from '../stack.test-helper.ts'
import { findMisspelt } from './spelling.ts'
import { type Language, runTutorial } from './tutorial.ts'

const root = join(import.meta.dirname, '../..')

let siteFolder: string
let stack: TestStack
const pages = new Map<string, HTMLElement>()

beforeAll(async () => {
  siteFolder = await keepSite({ log: say })
  for (const file of readdirSync(siteFolder, { recursive: true, encoding: 'utf8' }))
    if (file.endsWith('index.html'))
      pages.set(`${base}/${file.replace(/index\.html$/, '')}`, parse(readFileSync(join(siteFolder, file), 'utf8')))
  const environment = { gateway: { DOCUMENTATION_FOLDER: siteFolder } }
  stack = await startTestStack({ enabledCapabilities: ['transfers.execute'], environment })
})
afterAll(() => stack?.close())

describe('the files', () => {
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

  test('every sample in TypeScript compiles against the client', async () => {
    const samples = samplesIn('ts')
    expect(samples.length).toBeGreaterThan(50)
    const functions = samples.map((sample, index) => `export async function sample${index}() {\n${sample}}\n`)
    const head = "import type { Agent } from '@financial-agents/client'\n\ndeclare const agent: Agent\n"
    await compile([`${head}${functions.join('')}`])
  })

  test('every program in TypeScript of a guide compiles against the client', async () => {
    const files = readdirSync(join(siteFolder, 'how-to')).filter((file) => file.endsWith('.md'))
    const texts = files.map((file) => readFileSync(join(siteFolder, 'how-to', file), 'utf8'))
    // A block with a title after `ts` is a recipe, which is tested as a file of the repository.
    const programs = texts.flatMap((text) =>
      [...text.matchAll(/```ts\n(import .*?)```/gs)].map(([, code = '']) => code),
    )
    expect(programs.length).toBeGreaterThanOrEqual(5)
    await compile(programs)
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
    expect(lines.length).toBeGreaterThan(20)
    expect(await refusalOf(['cards', 'create', '--typ', 'virtual'])).toContain('typ')
    for (const line of lines) {
      const words = [...line.trim().matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '')
      expect(await refusalOf(words.slice(1)), line).toBe('')
    }
  })
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

describe('in a browser', () => {
  let browser: Browser | undefined
  let narrowBrowser: Browser | undefined
  let missing: string | undefined
  const complaints: string[] = []

  beforeAll(async () => {
    ;({ browser, missing } = await launchChromium({ log: () => {} }))
    ;({ browser: narrowBrowser } = await launchChromium({ log: () => {}, fonts: 'narrow' }))
  })
  afterAll(() => Promise.all([browser?.close(), narrowBrowser?.close()]))

  async function visit(path: string, { javaScriptEnabled = true, inside = browser } = {}): Promise<Page> {
    const context = await (inside as Browser).newContext({ javaScriptEnabled })
    context.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    context.on('request', (request) => {
      if (!request.url().startsWith(`${stack.baseUrl}/`) && !request.url().startsWith('data:'))
        complaints.push(`asked ${request.url()}`)
    })
    const page = await context.newPage()
    page.setDefaultTimeout(60_000)
    await page.goto(`${stack.baseUrl}${base}/${path}`)
    return page
  }

  const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  const tags = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] } satisfies RunOnly
  const sizes = { desktop: { width: 1280, height: 900 }, phone: { width: 360, height: 740 } }

  async function validate(page: Page, runOnly: RunOnly): Promise<string[]> {
    const options = JSON.stringify({ runOnly, resultTypes: ['violations'] })
    const { violations } = await page.evaluate<AxeResults>(`${axe};axe.run(document, ${options})`)
    return violations.map(({ id, nodes }) => {
      const shown = nodes.slice(0, 3).map(({ html }) => html.slice(0, 200))
      return `${id}: ${shown.join(' ')}`
    })
  }

  test.for([
    ['first', ''],
    ['tutorial', 'tutorials/first-payment/'],
    ['how-to', 'how-to/uncertainty/'],
    ['states', 'reference/states/'],
    ['route', 'reference/routes/beneficiaries/create-beneficiary/'],
    ['problems', 'reference/problems/'],
    ['guide', 'operate/guide/install/'],
  ] as const)(
    'the page %s keeps WCAG 2.2 AA on a desktop and a phone, light and dark',
    async ([name, path], { skip }) => {
      skip(missing !== undefined, missing)
      const page = await visit(path)
      const found: string[] = []
      for (const [size, viewport] of Object.entries(sizes))
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.setViewportSize(viewport)
          await page.emulateMedia({ colorScheme })
          // The site follows the scheme when it loads.
          await page.reload()
          await page.evaluate(endAnimations)
          await photograph(page, `docs-${name}-${size}-${colorScheme}`)
          found.push(...(await validate(page, tags)).map((violation) => `${size}, ${colorScheme}: ${violation}`))
          const width = await page.evaluate<number>('document.documentElement.scrollWidth')
          if (width > viewport.width) found.push(`${size}: ${width} px wide`)
        }
      await page.context().close()
      found.push(...(await sizesInNarrowFonts(path)))
      expect(found).toEqual([])
      expect(complaints.splice(0)).toEqual([])
    },
  )

  async function sizesInNarrowFonts(path: string): Promise<string[]> {
    const page = await visit(path, { inside: narrowBrowser })
    const found: string[] = []
    for (const [size, viewport] of Object.entries(sizes)) {
      await page.setViewportSize(viewport)
      const violations = await validate(page, { type: 'rule', values: ['target-size'] })
      found.push(...violations.map((violation) => `${size}, narrow fonts: ${violation}`))
      const width = await page.evaluate<number>('document.documentElement.scrollWidth')
      if (width > viewport.width) found.push(`${size}, narrow fonts: ${width} px wide`)
    }
    await page.context().close()
    return found
  }

  test('the search finds a word without a server', async ({ skip }) => {
    skip(missing !== undefined, missing)
    const page = await visit('')
    await page.getByRole('button', { name: 'Search' }).click()
    await page.locator('dialog input').fill('indeterminate')
    await page.locator('dialog .pagefind-ui__result-link').first().waitFor()
    expect(complaints.splice(0)).toEqual([])
    await page.context().close()
  })

  test('a page is read without scripts, with its links', async ({ skip }) => {
    skip(missing !== undefined, missing)
    const page = await visit('understand/at-most-once/', { javaScriptEnabled: false })
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Why at most once')
    await page.getByRole('link', { name: 'What a proof is' }).first().click()
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('What a proof is')
    await page.context().close()
  })
})

describe('the tutorial works line by line, as the page shows it,', () => {
  async function follow(language: Language): Promise<void> {
    const page = pages.get(`${base}/tutorials/first-payment/`)
    expect(page).toBeDefined()
    const { first, second, submitted } = await runTutorial(page as HTMLElement, stack, language)
    expect(first).toMatch(/^succeeded [0-9a-f-]{36}$/)
    expect(second).toBe(first)
    // Both languages use the same intents, so the second language finds the same payment.
    expect(submitted).toBe(1)
  }

  test('in TypeScript', () => follow({ name: 'typescript' }))

  test('in Python', async ({ skip }) => {
    const installed = await installClient()
    skip(installed.missing !== undefined, installed.missing)
    if (installed.missing === undefined)
      await follow({
        name: 'python',
        packages: installed.packages,
        constraints: join(packageFolder, 'constraints.txt'),
      })
  })
})
