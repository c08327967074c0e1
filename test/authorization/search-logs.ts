/** Before the first file: the stack is asked for. After each file: nothing that it used is in what the processes have written since the file before. */

import { afterAll, expect } from 'vitest'
import { askForStack, environment } from './environment.ts'
import { findLeaks, type SearchedTo } from './leaks.ts'

await askForStack()

// Kept from file to file where they share their modules; else each searches all of it.
const searched: SearchedTo = new Map()

afterAll(() => {
  const { logFolder, secretsFile } = environment()
  expect(findLeaks(logFolder, secretsFile, searched), 'secrets in the logs').toEqual([])
})
