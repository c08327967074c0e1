/**
 * Checks containers' environments with the schemas of their commands. It runs as a process of its own, because tests do
 * not import services. Questions on standard input, answers on standard output, as JSON.
 */

import { text } from 'node:stream/consumers'
import type { Command } from '@financial-agents/runtime/command'
import { readConfig } from '@financial-agents/runtime/config'
import type { Program } from '@financial-agents/runtime/program'

export type Question = { service: string; command: string; env: Record<string, string> }

/** The problem of the environment, if there is one, and the variables that the command knows. */
export type Result = { problem?: string; known: string[] }

async function answer({ service, command, env }: Question): Promise<Result> {
  const file = new URL(`../../services/${service}/src/service.ts`, import.meta.url)
  const { service: asked } = (await import(file.href)) as { service: { program: Program } }
  const { config } = await commandOf(asked.program, command)
  if (!config) return { known: [] }
  const known = Object.keys(config.shape)
  try {
    readConfig(config, env)
    return { known }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error), known }
  }
}

async function commandOf({ name, commands }: Program, called: string): Promise<Command> {
  const load = commands[called]
  if (!load) throw new Error(`${name} has no command ${called}`)
  return (await load()).command
}

if (import.meta.main) {
  const questions = JSON.parse(await text(process.stdin)) as Question[]
  const answers: Result[] = []
  for (const question of questions) answers.push(await answer(question))
  process.stdout.write(JSON.stringify(answers))
}
