/** The commands of package.json: each explains itself, refuses an option that it does not take, and runs on one Node. */

import { execFile, execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
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
    const [help, refused] = await Promise.all([run(file as string, '--help'), run(file as string, '--surprise')])
    expect(help).toMatchObject({ code: 0, stderr: '' })
    expect(help.stdout).toMatch(new RegExp(`^${name}: .+\\n\\nUsage:\\n  npx -y pnpm@12 ${name}`))
    expect(help.stdout.split('\n').length).toBeLessThan(25)
    expect(refused).toMatchObject({ code: 2, stdout: '' })
    expect(refused.stderr).toMatch(
      new RegExp(`^${name}: unknown option --surprise; it takes (--[a-zA-Z-]+, )*--version\\n$`),
    )
  },
)

test.each(['test/simulation/run.ts', 'tilt/seed.ts'])('%s, which is no script, does so too', async (file) => {
  const [help, refused] = await Promise.all([run(file, '--help'), run(file, '--surprise')])
  expect(help).toMatchObject({ code: 0, stderr: '' })
  expect(help.stdout).toContain(`\n  node ${file} --`)
  expect(refused).toMatchObject({ code: 2, stdout: '' })
  expect(refused.stderr).toMatch(/^[a-z]+: unknown option --surprise; it takes (--[a-z-]+, )*--version\n$/)
})

test('packages are judged by the Node that the lockfile brings', () => {
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

function run(file: string, arg: string): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [file, arg], { cwd: root }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    )
  })
}
