/** The command `build-docs`: builds the documentation site, and serves it to its writer. */

import { defineCommand } from '@financial-agents/runtime/command'
import { runCommand } from '@financial-agents/runtime/program'
import { buildSite } from './build-site.ts'
import { serveSite } from './serve-site.ts'
import { siteFolder } from './site.ts'

export const command = defineCommand({
  summary: 'build the documentation site',
  usage: [
    ['build-docs', 'the folder libs/clients/docs/build/site, to be served at /docs'],
    ['build-docs --serve', 'the same, then serve it on this machine until Ctrl-C'],
  ],
  options: { serve: { type: 'boolean', default: false } },
  run: async ({ values }) => {
    say(`${buildSite()} pages in ${siteFolder}`)
    if (!values.serve) return undefined
    const { url } = await serveSite(0)
    say(`Read them at ${url}`)
    return new Promise<undefined>(() => {})
  },
})

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

if (import.meta.main) runCommand('build-docs', command)
