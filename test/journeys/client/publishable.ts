/** The judgement of a published package by publint and attw, which are not ours. */

import { readdir, readFile } from 'node:fs/promises'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { expect } from 'vitest'

/** Expects a package that every bundler and type checker understands, without tests in it. Returns the paths of its files. */
export async function expectPublishable(tarball: string, unpacked: string): Promise<string[]> {
  const { messages } = await publint({ pkgDir: unpacked, strict: true })
  expect(messages).toEqual([])
  const judged = await checkPackage(createPackageFromTarballData(await readFile(tarball)))
  if (!judged.types) throw new Error('the tarball has no types')
  // The package is ESM alone: CommonJS and the resolution of Node 10 are not promised.
  const promised = judged.problems.filter(
    (problem) => !('resolutionKind' in problem) || !/node10|node16-cjs/.test(problem.resolutionKind),
  )
  expect(promised).toEqual([])
  const files = await readdir(unpacked, { recursive: true })
  expect(files.filter((file) => /test|\.env|node_modules/.test(file))).toEqual([])
  return files
}
