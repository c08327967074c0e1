/**
 * Images: one setting changes the registry of every container, a digest takes precedence over a tag, and no image is
 * `latest`.
 */

import { expect, test } from 'vitest'
import { containersOf, podsOf } from './manifests.ts'
import { allRendered, expectNone, needRendered, rendered } from './rendered.ts'

needRendered()

const imagesOf = (name: string) =>
  podsOf(rendered(name).resources).flatMap(({ spec }) => containersOf(spec).map(({ image }) => image))

test('every image has a registry and a tag or a digest, and none is the latest', () => {
  const whole = /^[a-z0-9.-]+\.[a-z]+\/[a-z0-9/-]+(?::[\w.-]+|@sha256:[0-9a-f]{64})$/
  for (const { name } of allRendered()) {
    if (name.startsWith('development')) continue
    expectNone(imagesOf(name).filter((image) => !whole.test(image) || image.endsWith(':latest')))
  }
  const tagged = /(?::[\w.-]+|@sha256:[0-9a-f]{64})$/
  expectNone(imagesOf('development').filter((image) => !tagged.test(image) || image.endsWith(':latest')))
})

test('without a tag the images are those of the chart’s release', () => {
  for (const image of imagesOf('production'))
    expect(image).toMatch(/^registry\.example\.com\/financial-agents\/[a-z-]+:1\.0\.0$/)
})

test('the global registry reaches every container, with its credentials', () => {
  for (const name of ['registry', 'development-registry'])
    for (const image of imagesOf(name)) expect(image).toMatch(/^mirror\.example\.com\//)
  for (const { of, spec } of podsOf(rendered('registry').resources))
    expect(spec.imagePullSecrets, of).toEqual([{ name: 'mirror' }, { name: 'more' }])
})

test('a digest takes precedence over the tag, in every container of that image', () => {
  for (const name of ['registry', 'development-registry'])
    expectNone(imagesOf(name).filter((image) => !/@sha256:[0-9a-f]{64}$/.test(image)))
  const digests = new Map<string, Set<string>>()
  for (const image of imagesOf('registry')) {
    const [path = '', digest = ''] = image.split('@')
    digests.set(path, (digests.get(path) ?? new Set()).add(digest))
  }
  expect(digests.size).toBe(12)
  for (const [path, found] of digests) expect(found.size, path).toBe(1)
})
