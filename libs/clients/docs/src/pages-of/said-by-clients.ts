/**
 * Asks the command line and the MCP server for their answer to each code, by their own functions. They are bundled with the client,
 * because they take only its own class of errors.
 */

import { join } from 'node:path'
import { placeholderBaseUrl } from '@financial-agents/contract/openapi/origin'
import { Problem, renderProblem } from '@financial-agents/contract/problem'
import type { ProblemCode } from '@financial-agents/contract/problem-catalogue'
import { buildSync } from 'esbuild'
import { root } from '../site.ts'

const contents = `
import { ApiProblem } from './typescript/src/client.ts'
import { failureOf } from './cli/src/failure.ts'
import { exitCodes, meanings } from './cli/src/exit-codes.ts'
import { answerOf } from './mcp/src/outcome-of-error.ts'

const again = { tool: 'submit_payment', arguments: {} }
export function said(example) {
  const response = { status: example.status, headers: new Headers() }
  const problem = () => new ApiProblem(response, example)
  const { ending, message } = failureOf(problem())
  const { status, message: words, do_not_repeat } = answerOf(problem(), { writes: true, resume: again })
  return {
    cli: { exitCode: exitCodes[ending], meaning: meanings[ending], advice: message.slice(problem().message.length).trim() },
    mcp: { status, message: words, doNotRepeat: do_not_repeat },
  }
}
`

export type Said = {
  cli: { exitCode: number; meaning: string; advice: string }
  mcp: { status: string; message: string; doNotRepeat: boolean }
}

const built = buildSync({
  stdin: { contents, resolveDir: join(root, 'libs/clients'), loader: 'ts' },
  bundle: true,
  format: 'esm',
  platform: 'node',
  conditions: ['@financial-agents/source'],
  write: false,
  logLevel: 'silent',
})
const text = Buffer.from(built.outputFiles[0]?.contents ?? []).toString('base64')
const module = (await import(`data:text/javascript;base64,${text}`)) as { said: (example: object) => Said }

const where = {
  baseUrl: placeholderBaseUrl,
  instance: '/v1/operations',
  requestId: 'request',
  refreshOnboarding: false,
}

/** For a write that was refused with this problem. */
export const saidAbout = (code: ProblemCode): Said => module.said(renderProblem(new Problem(code).data, where))
