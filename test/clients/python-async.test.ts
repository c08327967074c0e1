/** The failures of the client for Python that awaits. `python.test.ts` has those of the one that blocks, and its package. */

import { afterAll, beforeAll, beforeEach } from 'vitest'
import { installClient } from '../journeys/client-python/installed.ts'
import { acts, startPythonClient } from './python.ts'
import { runCases } from './run-cases.ts'

let running: ReturnType<typeof startPythonClient>
let missing: string | undefined

beforeAll(async () => {
  const installed = await installClient()
  if (installed.missing === undefined) running = startPythonClient(installed.python, 'async')
  else missing = installed.missing
})
beforeEach(({ skip }) => {
  if (missing !== undefined) skip(missing)
})
afterAll(() => running?.stop())

runCases({ name: 'python', acts }, () => running)
