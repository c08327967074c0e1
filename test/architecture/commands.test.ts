/** The commands of package.json: each explains itself, refuses an option that it does not take, and runs on one Node. */

import { execFile, execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from '@financial-agents/runtime/command'
import { callCommand, type Ended } from '@financial-agents/runtime/program'
import { expect, test } from 'vitest'
import { parse } from 'yaml'

const root = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const manifest = JSON.parse(read('package.json')) as {
  scripts: Record<string, string>
  optionalDependencies: Record<string, string>
}
const guarded = /^node \S+\/node-version-guard\.js && node (\S+\.ts)$/

/** The published command line, run from its sources, has a help of its own: `libs/clients/cli/src/app.test.ts`. */
const published = 'cli'
const commands = Object.entries(manifest.scripts).filter(([name]) => !name.startsWith('pnpm:') && name !== published)

test.each(commands)(
  '%s explains itself with --help, and refuses an unknown option in one line',
  async (name, script) => {
    const file = guarded.exec(script)?.[1]
    expect(file, `the script of ${name} begins with the version guard and runs one file`).toBeDefined()
    const [help, refused] = await ends(file as string, name)
    expect(help).toMatchObject({ code: 0, stderr: '' })
    expect(help.stdout).toMatch(new RegExp(`^${name}: .+\\n\\nUsage:\\n  npx -y pnpm@12 ${name}`))
    expect(help.stdout.split('\n').length).toBeLessThan(25)
    expect(refused).toMatchObject({ code: 2, stdout: '' })
    expect(refused.stderr).toMatch(
      new RegExp(`^${name}: unknown option --surprise; it takes (--[a-zA-Z-]+, )*--version\\n$`),
    )
  },
)

test.each([
  ['test/simulation/run.ts', 'simulation'],
  ['tilt/seed.ts', 'seed'],
])('%s, which is no script, does so too', async (file, name) => {
  const [help, refused] = await ends(file, name, 'node')
  expect(help).toMatchObject({ code: 0, stderr: '' })
  expect(help.stdout).toContain(`\n  node ${file} --`)
  expect(refused).toMatchObject({ code: 2, stdout: '' })
  expect(refused.stderr).toMatch(/^[a-z]+: unknown option --surprise; it takes (--[a-z-]+, )*--version\n$/)
})

test('a command that is run as a process ends as the same call here', async () => {
  const file = 'libs/development/dev/src/format.ts'
  expect([await run(file, '--help'), await run(file, '--surprise')]).toEqual(await ends(file, 'format'))
})

test('packages are validated by the Node that the lockfile brings', () => {
  const { nodeVersion } = parse(read('pnpm-workspace.yaml')) as { nodeVersion: string }
  expect(new Set(Object.values(manifest.optionalDependencies))).toEqual(new Set([nodeVersion]))
})

test('a page names a command of the repository only where there is one', () => {
  const ofPnpm = new Set(['exec', 'install', '--filter'])
  const pages = execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' }).trim().split('\n')
  const named = pages.flatMap((file) =>
    [...read(file).matchAll(/npx -y pnpm@12 (\S+?)[`\s),:.]/g)].map(([, name]) => `${name}`),
  )
  expect(named.filter((name) => !ofPnpm.has(name) && !(name in manifest.scripts))).toEqual([])
})

/** The ends of two calls of a command: for its help, and with an option that it does not know. */
async function ends(file: string, name: string, prefix?: string): Promise<[help: Ended, refused: Ended]> {
  const { command } = (await import(join(root, file))) as { command: Command }
  return [
    await callCommand(name, command, ['--help'], prefix),
    await callCommand(name, command, ['--surprise'], prefix),
  ]
}

function run(file: string, arg: string): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, [file, arg], { cwd: root }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    )
  })
}
