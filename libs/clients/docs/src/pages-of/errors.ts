/**
 * The page of errors: each problem of the contract with its cause, what to do, and what the clients make of it. The clients' errors of
 * their own follow, from their source.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ProblemCode, problemCatalogue, problemCodes } from '@financial-agents/contract/problem-catalogue'
import { nextStepOf } from '@financial-agents/contract/problem-next-step'
import { problemsOf } from '@financial-agents/contract/problems-of'
import type { Route } from '@financial-agents/contract/route'
import { routes } from '@financial-agents/contract/routes'
import { type DocPage, root } from '../site.ts'
import { saidAbout } from './said-by-clients.ts'

export const errorsPath = 'reference/errors'

const rows = Object.values(routes as Record<string, Route>)

/** The sentences of the pages to which `type` leads. */
const { codes: sentences } = (
  JSON.parse(readFileSync(join(root, 'libs/platform/pages/messages/en.json'), 'utf8')) as {
    messages: { codes: Record<ReturnType<typeof nextStepOf>, string> }
  }
).messages

const head = `A refusal is \`application/problem+json\` (RFC 9457) with the members \`type\`, \`title\`, \`status\`, \`detail\`, \`code\`, \`retryable\`, \`submission_uncertain\`
and \`request_id\`, and \`fields\` where members of the request were wrong. Decide by \`code\`. New codes may come: treat an unknown one by its status, \`retryable\` and
\`submission_uncertain\`. Anything that is no problem of the API, such as the error page of a proxy, is no answer: [handle uncertainty](/docs/how-to/uncertainty/).

## In your program

The clients for TypeScript and Python raise an \`ApiProblem\` with the members of the problem (\`submissionUncertain\`, \`requestId\`; in Python \`submission_uncertain\`, \`request_id\`).
Before that they do what is safe:

- They answer \`use_dpop_nonce\` themselves, and get a new token when one has expired.
- They wait and repeat what is \`retryable\`, until the time of the call is over: a write with its key, and any other call only if a repetition has no second effect.
- They ask the owner where a write needs a confirmation, and wait for the decision.
- They look for the operation of a write that may have been accepted. What they raise then has \`submissionUncertain\`: call again with the same intent.

\`\`\`ts
import { type Agent, ApiProblem } from '@financial-agents/client'

export async function payRent(agent: Agent, payee: string): Promise<string> {
  try {
    const outcome = await agent.pay({ intent: 'rent-2026-11', payee, amount: '12.50', currency: 'EUR' })
    return outcome.status
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error
    if (error.submissionUncertain) return 'not known yet: call again with the same intent'
    if (error.code === 'grant_ceiling_exceeded') return 'more than the owner allows'
    return \`refused (\${error.code}, request \${error.requestId})\`
  }
}
\`\`\`

\`\`\`python
from financial_agents import ApiProblem

try:
    outcome = agent.pay(intent="rent-2026-11", payee=payee, amount="12.50", currency="EUR")
except ApiProblem as problem:
    if problem.submission_uncertain:
        print("not known yet: call again with the same intent")
    else:
        print(problem.code, problem.detail, problem.request_id)
\`\`\`

The [command line](/docs/reference/cli/) ends with an exit code, and the [MCP server](/docs/reference/mcp/) answers with a status: each code below has both, for a write.

## Every code
`

/** One page. */
export function errorPages(): DocPage[] {
  return [
    {
      path: errorsPath,
      title: 'Errors',
      description:
        'Every code of a refusal: its cause, what to do, and what the clients, the command line and the MCP server say.',
      order: 3,
      body: `${head}\n${problemCodes.map(section).join('\n')}`,
    },
  ]
}

function section(code: ProblemCode): string {
  const { status, title, description, retryable, submission_uncertain } = problemCatalogue[code]
  const answering = rows.filter((row) => problemsOf(row).includes(code)).length
  const { cli, mcp } = saidAbout(code)
  const lines = [
    ['Status', String(status)],
    ['Repeat the identical request', retryable ? 'yes: it can succeed' : 'no: that alone does not help'],
    ['A write may have been accepted', submission_uncertain ? 'yes: never send it with another key' : 'no'],
    ['What to do', sentences[nextStepOf(code)]],
    [
      'Command line',
      `exit code ${cli.exitCode}: ${cli.meaning}${cli.advice === '' ? '' : ` It adds: “${cli.advice}”`}`,
    ],
    ['MCP server', `\`${mcp.status}\`${mcp.doNotRepeat ? ', `do_not_repeat`' : ''}: “${mcp.message}”`],
    ['Routes', answering === rows.length ? 'every one' : `${answering} of ${rows.length}`],
  ]
  const table = lines.map(([name, value]) => `| ${name} | ${value} |`)
  return `### ${code}\n\n**${title}.** ${description}\n\n| Question | Answer |\n| --- | --- |\n${table.join('\n')}\n`
}
