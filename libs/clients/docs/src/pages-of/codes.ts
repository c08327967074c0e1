/** The pages of codes and scopes, from the contract's catalogues. */

import { routePagePath } from '@financial-agents/contract/documentation-paths'
import { failureCodes } from '@financial-agents/contract/failure-codes'
import { problemCatalogue, problemCodes } from '@financial-agents/contract/problem-catalogue'
import { problemsOf } from '@financial-agents/contract/problems-of'
import { type Route, scopesOf } from '@financial-agents/contract/route'
import { routes } from '@financial-agents/contract/routes'
import { scopes } from '@financial-agents/contract/scopes'
import type { DocPage } from '../site.ts'

const table = Object.entries(routes as Record<string, Route>)

/** Problems, failure codes and scopes. */
export function codePages(): DocPage[] {
  return [
    {
      path: 'reference/problems',
      title: 'Problems',
      description: 'Every code of a refusal, what it means, and what to do.',
      order: 3,
      body: `A refusal is \`application/problem+json\` (RFC 9457). Decide by \`code\`. New codes may come: treat an unknown one by its status, \`retryable\` and \`submission_uncertain\`.\n\n${problemCodes.map(problemSection).join('\n')}`,
    },
    {
      path: 'reference/failure-codes',
      title: 'Failure codes of operations',
      description: 'Why an operation failed, was cancelled, or is indeterminate.',
      order: 4,
      body: `\`failure_code\` of an operation. The \`state\` decides: \`failed\` and \`cancelled\` are final, \`indeterminate\` is not.\n\n| Code | Meaning |\n| --- | --- |\n${Object.entries(
        failureCodes,
      )
        .map(([code, meaning]) => `| \`${code}\` | ${meaning} |`)
        .join('\n')}`,
    },
    {
      path: 'reference/scopes',
      title: 'Scopes',
      description: 'What each scope lets an application do, and the routes that need it.',
      order: 5,
      body: Object.entries(scopes).map(scopeSection).join('\n'),
    },
  ]
}

function problemSection(code: keyof typeof problemCatalogue): string {
  const { status, title, description, retryable, submission_uncertain } = problemCatalogue[code]
  const answering = table.filter(([, row]) => problemsOf(row).includes(code)).length
  const facts = [
    `Status ${status}.`,
    retryable ? 'Repeating the identical request can succeed.' : 'Repeating the identical request does not help.',
    submission_uncertain ? 'A write may have reached the provider: never send it with another key.' : '',
    answering === table.length ? 'Every route answers it.' : `${answering} of ${table.length} routes answer it.`,
  ]
  return `## ${code}\n\n**${title}.** ${description}\n\n${facts.filter((fact) => fact !== '').join(' ')}\n`
}

function scopeSection([scope, access]: readonly [string, string]): string {
  const opened = table.filter(
    ([, row]) => row.audience !== 'operator' && (scopesOf(row) as readonly string[]).includes(scope),
  )
  const lines = opened.map(
    ([name, row]) => `- [${row.summary}](${routePagePath(name, row)}): \`${row.method} ${row.path}\``,
  )
  return `## ${scope}\n\n${access}.\n\n${lines.join('\n')}\n`
}
