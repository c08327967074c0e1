/** The JSON content of a body or a response: its schema and its example. */

import type { z } from 'zod'
import { schemaReference } from './components.ts'
import { nameOf } from './named-schemas.ts'

export function jsonContent(schema: z.ZodType) {
  const name = nameOf(schema)
  const media = {
    schema: schemaReference(schema),
    examples: { [name]: { $ref: `#/components/examples/${name}` } },
  }
  return { 'application/json': media }
}
