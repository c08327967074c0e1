/** The failures of the published clients that run in this process. `python.test.ts` is for the other one. */

import { cli } from './cli.ts'
import { mcp } from './mcp.ts'
import { runCases } from './run-cases.ts'
import { typescript } from './typescript.ts'

for (const client of [typescript, cli, mcp]) runCases(client, () => client)
