/** The facts that every published package states, which the manifest of the root says once; and the intents of the recipes. */

import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'

type Manifest = {
  name: string
  private?: boolean
  version: string
  license: string
  homepage: string
  bugs: string
  repository: { type: string; url: string; directory?: string }
  [member: string]: unknown
}

const root = join(import.meta.dirname, '../..')
const textOf = (file: string) => readFileSync(join(root, file), 'utf8')
const manifestOf = (folder: string) => JSON.parse(textOf(join(folder, 'package.json'))) as Manifest
const { version, license, homepage, bugs, repository } = manifestOf('.')

const published = globSync('{libs,services}/**/package.json', { cwd: root, exclude: ['**/node_modules', '**/dist'] })
  .map((file) => join(file, '..'))
  .filter((folder) => manifestOf(folder).private !== true)

test.each(published)('%s states the facts of the root', (folder) => {
  expect(manifestOf(folder)).toMatchObject({
    version,
    license,
    homepage,
    bugs,
    repository: { ...repository, directory: folder },
    publishConfig: { access: 'public', provenance: true },
    sideEffects: expect.anything(),
    description: expect.any(String),
    keywords: expect.any(Array),
    engines: { node: expect.any(String) },
  })
})

test('the package for Python states the facts of the root', () => {
  const project = textOf('libs/clients/python/pyproject.toml')
  const source = repository.url.replace(/^git\+|\.git$/g, '')
  for (const line of [
    `version = "${version}"`,
    `license = "${license}"`,
    `Homepage = "${homepage}"`,
    `Repository = "${source}"`,
    `Issues = "${bugs}"`,
  ])
    expect(project.split('\n')).toContain(line)
})

test('a recipe has intents of its own', () => {
  for (const file of globSync('libs/clients/typescript/recipes/*.ts', { cwd: root })) {
    const intents = [...textOf(file).matchAll(/\bintent: ['`]([^'`]*)/g)].map(([, intent]) => intent)
    expect(
      intents.filter((intent) => !intent?.startsWith(`recipe-${basename(file, '.ts')}-`)),
      file,
    ).toEqual([])
  }
})
