/** The page of lists that continue, with the routes from the document. */

import { routePagePath } from '@financial-agents/contract/documentation-paths'
import { type Route, routeString } from '@financial-agents/contract/route'
import { routes } from '@financial-agents/contract/routes'
import type { DocPage } from '../site.ts'
import { findCall, type Parameter } from './document.ts'

const table = Object.entries(routes as Record<string, Route>)

/** One page. */
export function paginationPages(): DocPage[] {
  const lists = table.flatMap(([name, row]) => {
    const parameters = findCall(row).parameters.filter((parameter) => parameter.in === 'query')
    const limit = parameters.find((parameter) => parameter.name === 'limit')
    if (!limit || !parameters.some((parameter) => parameter.name === 'cursor')) return []
    return [`| [\`${routeString(row)}\`](${routePagePath(name, row)}) | ${boundsOf(limit)} |`]
  })
  return [
    {
      path: 'reference/pagination',
      title: 'Pagination',
      description: 'How lists continue: cursors, sizes of pages, and what a client does by itself.',
      order: 9,
      body: `A list that can be long comes in pages: \`items\`, and \`next_cursor\`, which is null at the end. For the next page send the same query with \`cursor\` set to \`next_cursor\`.

\`\`\`json
{ "items": [], "next_cursor": "eyJhZnRlciI6…" }
\`\`\`

- A cursor is opaque and signed. It is good for the same route, owner and query; anywhere else it is refused (\`validation_failed\`, path \`cursor\`).
- Stop at \`next_cursor: null\`, and not at a short or empty page: a filter may leave few items of a page.
- Most lists are newest first: what is new while you read stands before the first page.
- Do not store a cursor for long: read again from the beginning.

## The clients do it

\`\`\`ts
import type { Agent } from '@financial-agents/client'

export async function printTransfers(agent: Agent): Promise<void> {
  for await (const transfer of agent.payments.list({ limit: 100 })) console.log(transfer.id)
}
\`\`\`

\`\`\`python
for transfer in agent.payments.list(limit=100):
    print(transfer["id"])
\`\`\`

They ask for the next page when it is needed. In TypeScript \`await\` of the list is its first page, and \`.pages()\` goes through the pages. The command line prints every page: \`financial-agents transfers list --jsonl\`
prints each item as it arrives.

## Routes

\`GET /v1/operations\` has no cursor: it answers at most the 100 newest matches, because it finds operations and does not list history.

| Route | \`limit\` |
| --- | --- |
${lists.join('\n')}
`,
    },
  ]
}

function boundsOf({ schema }: Parameter): string {
  const [least, most, usual] = ['minimum', 'maximum', 'default'].map((name) => String(schema[name]))
  return `${least} to ${most}, ${usual} by default`
}
