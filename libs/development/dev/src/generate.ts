/**
 * The command `gen`: writes the documents that derive from the tables. Each package says which of its files derive, and
 * makes their text. With `--check` the command fails if a document differs from its tables. Its output is never
 * edited by hand.
 */

import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { defineCommand } from '@financial-agents/runtime/command'
import { runCommand } from '@financial-agents/runtime/program'
import { root } from '@financial-agents/testkit/programs'

const note = '<!-- Written by `pnpm gen`; change the table it comes from. -->'

/** The modules of the packages that say so. Those of the clients read what the contract has written. */
const generators = [
  'libs/api/contract/generate.ts',
  'libs/platform/bus/generate.ts',
  'libs/platform/pages/generate.ts',
  'libs/provider/http/generate.ts',
  'libs/clients/typescript/generate/methods.ts',
  'libs/clients/python/generate/methods.ts',
  'libs/clients/mcp/generate.ts',
  'deploy/generate.ts',
]

/** The content of files, by their path from the root. */
type Files = Readonly<Record<string, () => string>>
type Generator = {
  documents?: Files
  /** The generated parts of documents that are otherwise written by hand: the text between the two marks. */
  sections?: Files
  /** Documents that are written only with a release. */
  released?: Files
}

const begins = '<!-- Written by `pnpm gen` from libs/platform/bus/src/calls and the contract; change it there. -->'
const ends = '<!-- Until here. -->'

function withSection(file: string, text: string, section: string): string {
  const [before = '', rest] = text.split(`${begins}\n`)
  const after = rest?.split(ends)[1]
  if (after === undefined) throw new Error(`${file} has no place for its subjects: ${begins} … ${ends}`)
  return `${before}${begins}\n\n${section}\n\n${ends}${after}`
}

export const command = defineCommand({
  summary: 'write the documents that derive from the tables',
  usage: [
    ['gen', 'every file; prints those that changed'],
    ['gen --check', 'changes nothing; fails where a file is not what the tables say'],
    ['gen --release', 'also the released OpenAPI document, against which breaking changes are validated'],
  ],
  options: { check: { type: 'boolean', default: false }, release: { type: 'boolean', default: false } },
  run: async ({ values }) => {
    const stale: string[] = []
    const write = async (file: string, render: (current: string) => string) => {
      const path = join(root, file)
      const current = await readFile(path, 'utf8').catch(() => '')
      const text = render(current)
      if (current === text) return
      stale.push(file)
      if (values.check) return
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, text)
    }
    for (const module of generators) {
      const { documents = {}, sections = {}, released = {} } = (await import(join(root, module))) as Generator
      for (const [file, render] of Object.entries({ ...documents, ...(values.release ? released : {}) }))
        await write(file, () => (file.endsWith('.md') ? `${note}\n\n${render()}\n` : `${render()}\n`))
      for (const [file, render] of Object.entries(sections))
        await write(file, (current) => withSection(file, current, render()))
    }
    if (!values.check) return stale.map((file) => `${file}: written`)
    if (stale.length > 0) throw new Error(`not what the tables say: ${stale.join(', ')}; run npx -y pnpm@12 gen`)
    return undefined
  },
})

if (import.meta.main) runCommand('gen', command)
