/**
 * The published clients over the whole system, one after the other on one stack. Failures that need no whole system are in
 * `test/clients`. The provider's ledger decides.
 */

import { describe } from 'vitest'
import { commandLine } from './clients/command-line.ts'
import { confusedModels } from './clients/confused-models.ts'
import { failures } from './clients/failures.ts'
import { mcpServer } from './clients/mcp.ts'
import { pythonClient } from './clients/python.ts'
import { useClientStack } from './clients/stack.ts'
import { tutorial } from './clients/tutorial.ts'
import { typescriptClient } from './clients/typescript.ts'

useClientStack()

// The command line is first: its payee is then the only one.
describe('the command line', commandLine)
describe('the client for TypeScript', typescriptClient)
describe('the client for TypeScript, when something fails,', failures)
describe('the client for Python', pythonClient)
describe('the tutorial', tutorial)
describe('the MCP server', mcpServer)
describe('models that get everything wrong', confusedModels)
