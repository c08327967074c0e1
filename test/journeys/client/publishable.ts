/** The decision of a published package by publint and attw, which are not ours. */

import { readdir, readFile } from 'node:fs/promises'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { expect } from 'vitest'

/** Expects a package that every bundler and type checker understands, without tests in it. Returns the paths of its files. */
export async function expectPublishable(tarball: string, unpacked: string): Promise<string[]> {
  const { messages } = await publint({ pkgDir: unpacked, strict: true })
  expect(messages).toEqual([])
  const validated = await checkPackage(createPackageFromTarballData(await readFile(tarball)))
  if (!validated.types) throw new Error('the tarball has no types')
  // The package is ESM alone: its README says how a CommonJS file loads it.
  const promised = validated.problems.filter(
    (problem) => !('resolutionKind' in problem) || problem.resolutionKind !== 'node16-cjs',
  )
  expect(promised).toEqual([])
  const files = await readdir(unpacked, { recursive: true })
  expect(files.filter((file) => /\.test|\.env|node_modules/.test(file))).toEqual([])
  return files
}
