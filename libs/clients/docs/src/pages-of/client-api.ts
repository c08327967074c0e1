/** The reference of the published client, from its TSDoc: a page for each entry of the package, and one for the methods by resource. */

import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { addressOf, builtFolder, type DocPage, root } from '../site.ts'

const folder = join(builtFolder, 'typedoc')
const client = join(root, 'libs/clients/typescript')
const part = 'reference/client-api'

/** Has TypeDoc read the client's sources. @throws Error with the end of its output */
export function clientApiPages(): DocPage[] {
  rmSync(folder, { recursive: true, force: true })
  const typedoc = join(dirname(createRequire(import.meta.url).resolve('typedoc/package.json')), 'bin/typedoc')
  const entries = [...entriesOf(client), 'src/generated/methods.ts'].flatMap((file) => [
    '--entryPoints',
    join(client, file),
  ])
  const options = {
    plugin: 'typedoc-plugin-markdown',
    tsconfig: join(root, 'tsconfig.json'),
    out: folder,
    readme: 'none',
    logLevel: 'Error',
    outputFileStrategy: 'modules',
  }
  const flags = [
    'skipErrorChecking',
    'disableSources',
    'hidePageHeader',
    'hideBreadcrumbs',
    'hidePageTitle',
    'useCodeBlocks',
  ]
  const args = [
    ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]),
    ...flags.map((flag) => `--${flag}`),
  ]
  const cwd = join(import.meta.dirname, '../..')
  const { status, stdout, stderr } = spawnSync(process.execPath, [typedoc, ...args, ...entries], {
    cwd,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`typedoc failed: ${`${stdout}\n${stderr}`.trim().slice(-3_000)}`)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return files.filter((file) => file.endsWith('.md') && file !== 'README.md').map(pageOf)
}

function entriesOf(packageFolder: string): string[] {
  const { exports } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as {
    exports: Record<string, { '@financial-agents/source'?: string }>
  }
  return Object.values(exports).flatMap((entry) => entry['@financial-agents/source'] ?? [])
}

function pageOf(file: string): DocPage {
  const name = file.slice(0, -3)
  const entry = name === 'client' ? '@financial-agents/client' : `@financial-agents/client/${name}`
  const isEntry = name !== 'generated/methods'
  const body = readFileSync(join(folder, file), 'utf8')
    .replaceAll(/\]\(([^)\s]+\.md)(#[^)\s]*)?\)/g, (_, target: string, anchor = '') => {
      const path = join(dirname(file), target).slice(0, -3)
      return `](${addressOf(pathOf(path))}${anchor})`
    })
    // TypeDoc and Starlight number equal headings differently. A link without a number always finds the first one.
    .replaceAll(/(#[a-z]+)-\d+\)/g, '$1)')
  return {
    path: pathOf(name),
    title: isEntry ? entry : 'Methods by resource',
    description: isEntry
      ? `What ${entry} exports, from its sources.`
      : 'Every method of the client, with its types and problems.',
    body,
    ...(name === 'client' ? { order: 0 } : {}),
  }
}

const pathOf = (name: string) => `${part}/${name.replaceAll('/', '-').replace('generated-', '')}`
