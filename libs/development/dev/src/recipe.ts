/**
 * The command `recipe`: runs a file of `libs/clients/typescript/recipes` against a running stack, with the client that is
 * registered for a developer's first agent. The recipe keeps its state (the sign-in, the intents of its writes) in the
 * stack's folder, so the state is deleted with that folder.
 */

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defineCommand, UsageError } from '@financial-agents/runtime/command'
import { runCommand } from '@financial-agents/runtime/program'
import { root } from '@financial-agents/testkit/programs'
import { firstClientId } from '@financial-agents/testkit/seed-clients'
import { runTool } from './run-tool.ts'

const folder = join(root, 'libs/clients/typescript/recipes')
/** Every recipe imports it. */
const shared = 'agent.ts'

export const command = defineCommand({
  summary: 'run a recipe of libs/clients/typescript/recipes against a running stack',
  usage: [
    ['recipe', 'the recipes'],
    ['recipe <name>', 'run this one'],
  ],
  optionMeanings: [['--api <address>', 'the API of another stack than that of .dev, as `dev` printed it']],
  options: { api: { type: 'string' } },
  takesArguments: true,
  run: async ({ positionals: [name, ...more], values: { api } }) => {
    const recipes = await findRecipes()
    if (name === undefined) return recipes.map((recipe) => recipe.name)
    const recipe = recipes.find((each) => each.name === name)
    if (!recipe || more.length > 0)
      throw new UsageError(`recipe: give one of ${recipes.map((each) => each.name).join(', ')}`)
    const stack = await findStack(api)
    const isShell = recipe.file.endsWith('.sh')
    const args = isShell ? [recipe.file] : ['--conditions=@financial-agents/source', recipe.file]
    process.exitCode = await runTool(isShell ? 'sh' : process.execPath, args, {
      cwd: stack.folder,
      env: { API: stack.base_url, CLIENT_ID: firstClientId, FAKE_PROVIDER: stack.provider_url },
    })
    return undefined
  },
})

async function findRecipes(): Promise<{ name: string; file: string }[]> {
  const files = (await readdir(folder)).filter((file) => file !== shared && /\.(?:ts|sh)$/.test(file)).toSorted()
  return files.map((file) => ({ name: file.replace(/\.\w+$/, ''), file: join(folder, file) }))
}

type Running = { base_url: string; provider_url: string; folder: string }

/** Finds the stack of this clone that has this address, or the one in `.dev`. @throws Error that says how to start one */
async function findStack(api: string | undefined): Promise<Running> {
  const folders = (await readdir(root)).filter((name) =>
    api === undefined ? name === '.dev' : /^\.dev(-\d+)?$/.test(name),
  )
  const read = folders.map(async (name): Promise<Running | undefined> => {
    const text = await readFile(join(root, name, 'stack.json'), 'utf8').catch(() => undefined)
    return text === undefined ? undefined : { ...(JSON.parse(text) as Running), folder: join(root, name) }
  })
  const running = (await Promise.all(read)).filter((stack) => stack !== undefined)
  const found = running.find((stack) => api === undefined || stack.base_url === api.replace(/\/$/, ''))
  if (found) return found
  const at = api === undefined ? '' : ` at ${api}`
  throw new Error(`no stack of this clone is running${at}: start one with npx -y pnpm@12 dev, and leave it up`)
}

if (import.meta.main) runCommand('recipe', command)
