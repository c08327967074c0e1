/**
 * The names of schemas in the document: of those that have a description of their own, the name under which they are exported; of a
 * read's request and answer, the name of the read.
 */

import { allReads } from '@financial-agents/provider-port/reads'
import { z } from 'zod'
import { providerCalls } from '../api/calls.ts'
import * as hosted from '../api/hosted.ts'
import * as instructions from '../api/instructions.ts'
import * as records from '../api/records.ts'
import * as sandbox from '../api/sandbox.ts'

const pascal = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)

const exported = Object.entries({ ...hosted, ...instructions, ...records, ...sandbox }).flatMap(([name, schema]) =>
  schema instanceof z.ZodType && schema.description !== undefined ? [[pascal(name), schema] as const] : [],
)

const ofReads = allReads.flatMap(([name]) => {
  const { body, answer } = providerCalls[name]
  return [[pascal(name), answer] as const, ...(body === undefined ? [] : [[`${pascal(name)}Request`, body] as const])]
})

export const namedSchemas: Readonly<Record<string, z.ZodType>> = Object.fromEntries(
  [...exported, ...ofReads].toSorted(([one], [other]) => (one < other ? -1 : 1)),
)

const names = new Map(Object.entries(namedSchemas).map(([name, schema]) => [schema, name]))

export function nameOf(schema: z.ZodType): string {
  const name = names.get(schema)
  if (name === undefined) throw new Error('a body or an answer has no name: describe its shape')
  return name
}
