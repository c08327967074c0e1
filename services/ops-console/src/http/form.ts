/** Reads a form once, and refuses it unless a page of this session in this browser sent it. */

import { isForeignForm } from '@financial-agents/pages/tunnel/foreign-form'
import type { FastifyRequest } from 'fastify'
import type { ConsoleTools } from './console-tools.ts'
import { refusals } from './refusals.ts'

const tokenField = 'csrf_token'

type Owner = readonly ['session' | 'browser', id: string]

/** Returns the fields of the form, without its token. @throws PageRefusal */
export function checkForm(
  request: FastifyRequest,
  { formTokens, consoleUrl }: Pick<ConsoleTools, 'formTokens' | 'consoleUrl'>,
  [owner, id]: Owner,
): Record<string, string> {
  if (isForeignForm(request.headers, consoleUrl)) throw refusals.forgedForm()
  if (!(request.body instanceof URLSearchParams)) throw refusals.badForm(415)
  const names = [...request.body.keys()]
  if (new Set(names).size !== names.length || names.length > 32) throw refusals.badForm()
  const { [tokenField]: token, ...fields } = Object.fromEntries(request.body)
  if (!formTokens.holds(token, owner, id)) throw refusals.forgedForm()
  return fields
}

export function hiddenToken({ formTokens }: Pick<ConsoleTools, 'formTokens'>, [owner, id]: Owner) {
  return { [tokenField]: formTokens.token(owner, id) }
}
