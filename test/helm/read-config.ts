/**
 * Answers for containers what their commands say of their environment: started as a process of its own, because services are not
 * imported. Questions on standard input, answers on standard output, as JSON.
 */

import { text } from 'node:stream/consumers'
import type { Command } from '@financial-agents/runtime/command'
import { readConfig } from '@financial-agents/runtime/config'

export type Question = { service: string; command: string; env: Record<string, string> }

/** What is wrong with the environment, where something is, and the variables that the command knows. */
export type Verdict = { problem?: string; known: string[] }

async function answer({ service, command, env }: Question): Promise<Verdict> {
  const file = new URL(`../../services/${service}/src/commands/${command}.ts`, import.meta.url)
  const { config } = ((await import(file.href)) as { command: Command }).command
  if (!config) return { known: [] }
  const known = Object.keys(config.shape)
  try {
    readConfig(config, env)
    return { known }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error), known }
  }
}

if (import.meta.main) {
  const questions = JSON.parse(await text(process.stdin)) as Question[]
  const answers: Verdict[] = []
  for (const question of questions) answers.push(await answer(question))
  process.stdout.write(JSON.stringify(answers))
}
