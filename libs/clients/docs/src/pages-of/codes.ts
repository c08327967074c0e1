/** The pages of failure codes and scopes, from the contract's catalogues. */

import { routePagePath } from '@financial-agents/contract/documentation-paths'
import { failureCodes } from '@financial-agents/contract/failure-codes'
import { type Route, scopesOf } from '@financial-agents/contract/route'
import { routes } from '@financial-agents/contract/routes'
import { scopes } from '@financial-agents/contract/scopes'
import type { DocPage } from '../site.ts'

const table = Object.entries(routes as Record<string, Route>)

/** Failure codes and scopes. */
export function codePages(): DocPage[] {
  return [
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

function scopeSection([scope, access]: readonly [string, string]): string {
  const opened = table.filter(
    ([, row]) => row.audience !== 'operator' && (scopesOf(row) as readonly string[]).includes(scope),
  )
  const lines = opened.map(
    ([name, row]) => `- [${row.summary}](${routePagePath(name, row)}): \`${row.method} ${row.path}\``,
  )
  return `## ${scope}\n\n${access}.\n\n${lines.join('\n')}\n`
}
