/** The proposals for a command line: values before flags, unless a flag was begun or nothing else fits. */

import { type InputCompletion, proposeCompletions, type StricliDynamicCommandContext } from '@stricli/core'
import { app } from '../app.ts'
import type { CliContext } from '../context.ts'

export async function propose(
  words: readonly string[],
  context: StricliDynamicCommandContext<CliContext>,
): Promise<readonly InputCompletion[]> {
  const found = await proposeCompletions(app, words, context)
  const values = found.filter(({ completion }) => !completion.startsWith('-'))
  return values.length > 0 && !words.at(-1)?.startsWith('-') ? values : found
}
