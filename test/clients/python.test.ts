/** The client for Python as it is published, in an empty environment: its package, and its failures. */

import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { run } from '../interop/run.ts'
import { type Installed, installClient, packageFolder } from '../journeys/client-python/installed.ts'
import { acts, startPythonClient } from './python.ts'
import { runCases } from './run-cases.ts'

const programs = [import.meta.dirname, join(import.meta.dirname, '../journeys/client-python')]

let installed: Installed
let running: ReturnType<typeof startPythonClient>

beforeAll(async () => {
  installed = await installClient()
  if (installed.missing === undefined) running = startPythonClient(installed.python)
})
beforeEach(({ skip }) => {
  if (installed.missing !== undefined) skip(installed.missing)
})
afterAll(() => running?.stop())

function client(): Exclude<Installed, { missing: string }> {
  if (installed.missing !== undefined) throw new Error(installed.missing)
  return installed
}

describe('the package', () => {
  test('is a typed wheel with nothing of the tests in it, and needs two packages', async () => {
    const { files, python } = client()
    expect(files).toEqual(
      expect.arrayContaining([
        'financial_agents/__init__.py',
        'financial_agents/py.typed',
        'financial_agents-1.0.0.dist-info/licenses/LICENSE',
      ]),
    )
    expect(files.filter((file) => /tests[/]|test_|__pycache__|\.env/.test(file))).toEqual([])
    const requires = "import importlib.metadata as m; print(m.requires('financial-agents'))"
    expect(await run({ command: python, args: ['-I', '-c', requires], cwd: '/' })).toBe(
      "['httpx<1,>=0.28', 'joserfc<2,>=1.6']\n",
    )
  })

  test('passes its own tests, the linter and the formatter', async () => {
    const { python, tool } = client()
    await run({ command: python, args: ['-B', '-m', 'unittest', '--quiet'], cwd: packageFolder })
    await tool('ruff', 'check', '--no-cache', '--quiet', '.', ...programs)
    await tool('ruff', 'format', '--no-cache', '--check', '--quiet', '.')
  })
})

runCases({ name: 'python', acts }, () => running)
