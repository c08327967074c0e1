/** The JSON content of a body or a response: its schema and its example. */

import type { z } from 'zod'
import { schemaReference } from './components.ts'
import { createExamples } from './examples.ts'
import { nameOf } from './named-schemas.ts'

const written = new Set(Object.keys(createExamples('')))

/** The content for a named schema. A schema without an example throws. */
export function jsonContent(schema: z.ZodType) {
  const name = nameOf(schema)
  if (!written.has(name)) throw new Error(`${name} has no example: write one in openapi/examples`)
  const media = {
    schema: schemaReference(schema),
    examples: { [name]: { $ref: `#/components/examples/${name}` } },
  }
  return { 'application/json': media }
}
