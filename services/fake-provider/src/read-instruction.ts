/** Parses a mutation whose body has a client reference and the terms of its kind. */

import { newAction } from '@financial-agents/provider-http/api/instructions'
import { z } from 'zod'
import type { ReadMutation } from './mutation.ts'

/** @param name returns the name by which a fault script may match, for example a card's title */
export function readerOf<Terms extends z.ZodType>(
  terms: Terms,
  name: (content: z.infer<Terms>) => string | null = () => null,
): (body: unknown) => ReadMutation<z.infer<Terms>> {
  return (body) => {
    const reference = newAction.safeParse(body)
    const content = terms.safeParse(body)
    if (!reference.success || !content.success) return { type: 'malformed' }
    return {
      type: 'valid',
      clientReference: reference.data.client_reference,
      name: name(content.data),
      content: content.data,
    }
  }
}

/** The terms of an action: none, because its path says everything. */
export const NoTerms = z.object({})
