/**
 * The packages are not published yet, so no page names one as something to install from a registry: where the description of a package
 * does, the site has the command that works from a clone of the repository. Once they are published, this file goes.
 */

import type { DocPage } from './site.ts'

/** A text of a package's description, and what stands on the site in its place. */
type Replacement = readonly [fromRegistry: string, fromClone: string]

const replacements: Readonly<Record<string, readonly Replacement[]>> = {
  'reference/client': [
    [
      'npm install @financial-agents/client\n',
      '# In a clone of the repository:\nnpm pack ./libs/clients/typescript --pack-destination "$HOME"\n# In your project:\nnpm install "$HOME/financial-agents-client-1.0.0.tgz"\n',
    ],
  ],
  'reference/client-python': [
    ['pip install financial-agents\n', '# In a clone of the repository:\npip install ./libs/clients/python\n'],
  ],
  'reference/cli': [
    ['npx financial-agents ', 'npx -y pnpm@12 cli '],
    ['$(npx -y pnpm@12 cli webhooks secret)', '$(npx -y pnpm@12 --silent cli webhooks secret)'],
    ['In this repository\nthe program is `npx -y pnpm@12 cli`.', 'The commands run in a clone of the repository.'],
  ],
  'reference/sandbox': [
    [
      'npx @financial-agents/sandbox --enable transfers.execute\n',
      '# In a clone of the repository:\nnpm pack ./libs/development/sandbox --pack-destination "$HOME"\n# In your project:\nnpm install --save-dev "$HOME/financial-agents-sandbox-1.0.0.tgz"\nnpm exec -- financial-agents-sandbox --enable transfers.execute\n',
    ],
    ['["npx", "@financial-agents/sandbox",', '["npm", "exec", "--", "financial-agents-sandbox",'],
  ],
  'reference/mcp': [
    [
      '      "command": "npx",\n      "args": [\n        "-y",\n        "@financial-agents/mcp",\n',
      '      "command": "node",\n      "args": [\n        "<clone>/libs/clients/mcp/dist/main.js",\n',
    ],
    ['npx -y @financial-agents/mcp --api', 'node <clone>/libs/clients/mcp/dist/main.js --api'],
    [
      'The first call of a tool asks for the sign-in',
      '`<clone>` is your clone of the repository, in which `npm pack --dry-run ./libs/clients/typescript ./libs/clients/mcp` has built the server.\n\nThe first call of a tool asks for the sign-in',
    ],
  ],
}

/** The page as long as nothing is published. @throws Error if a description has changed, so that a replacement fits no more */
export function fromClone(page: DocPage): DocPage {
  const body = (replacements[page.path] ?? []).reduce((text, [fromRegistry, instead]) => {
    if (!text.includes(fromRegistry))
      throw new Error(`${page.path} does not say ${JSON.stringify(fromRegistry)} any more`)
    return text.replaceAll(fromRegistry, instead)
  }, page.body)
  return { ...page, body }
}
