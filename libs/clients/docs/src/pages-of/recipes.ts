/** The recipes of the client, each file as it runs in the tests. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type DocPage, root } from '../site.ts'

const folder = join(root, 'libs/clients/typescript/recipes')

/** One page with all recipes. */
export function recipePages(): DocPage[] {
  const files = readdirSync(folder).toSorted(
    (one, other) => Number(other === 'agent.ts') - Number(one === 'agent.ts') || (one < other ? -1 : 1),
  )
  const sections = files.map((file) => {
    const [name = '', kind = ''] = file.split('.')
    const text = readFileSync(join(folder, file), 'utf8').trim()
    const run = file === 'agent.ts' ? '' : `\n\`\`\`sh\nnpx -y pnpm@12 recipe ${name}\n\`\`\`\n`
    return `## ${name}\n${run}\n\`\`\`${kind} title="libs/clients/typescript/recipes/${file}"\n${text}\n\`\`\`\n`
  })
  return [
    {
      path: 'how-to/recipes',
      title: 'Recipes',
      description: 'Short programs for one task each. The tests of the repository run every one of them.',
      order: 1,
      body: `Each recipe is a file of the repository, and the tests run it as it stands here. Start a stack with \`npx -y pnpm@12 dev --enable transfers.execute\`, then run a recipe in another terminal. \`agent.ts\` is the beginning that all of them share.\n\n${sections.join('\n')}`,
    },
  ]
}
