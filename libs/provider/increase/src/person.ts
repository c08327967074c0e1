/**
 * The credentials of a binding: the owner's account at Increase, as JSON. They are no secret of the owner: the API key
 * is the installation's own. They name the account of every call of the binding.
 */

import { z } from 'zod'

const Person = z.object({
  account_id: z.string().regex(/^[a-z0-9_]{1,100}$/),
  /** The account number that real-time transfers are sent from. */
  account_number_id: z
    .string()
    .regex(/^[a-z0-9_]{1,100}$/)
    .optional(),
})

export type Person = z.infer<typeof Person>

/** Undefined if the text names no account. */
export function findPerson(credentials: string): Person | undefined {
  try {
    return Person.safeParse(JSON.parse(credentials)).data
  } catch {
    return undefined
  }
}
