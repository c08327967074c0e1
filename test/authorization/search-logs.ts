/**
 * Asks for the stack before the first file. After each file, searches the logs since the previous file for every secret
 * that was used.
 */

import { afterAll, expect } from 'vitest'
import { askForStack, environment } from './environment.ts'
import { findLeaks, type SearchedTo } from './leaks.ts'

await askForStack()

// Kept between files that share their modules. Otherwise each file searches all logs from the start.
const searched: SearchedTo = new Map()

afterAll(() => {
  const { logFolder, secretsFile } = environment()
  expect(findLeaks(logFolder, secretsFile, searched), 'secrets in the logs').toEqual([])
})
