/** The types of the client for Python, by Pyright in strict mode. */

import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { run } from '../interop/run.ts'
import { installClient, packageFolder } from '../journeys/client-python/installed.ts'

const pyright = createRequire(import.meta.url).resolve('pyright/index.js')

test('the package is typed strictly', async ({ skip }) => {
  const installed = await installClient()
  skip(installed.missing !== undefined, installed.missing)
  if (installed.missing !== undefined) return
  const args = [pyright, '--project', packageFolder, '--pythonpath', installed.python]
  const said = await run({ command: process.execPath, args, cwd: packageFolder })
  expect(said).toContain('0 errors, 0 warnings')
})
