/** A payee as a person names it: by its id, its name or its nickname. */

import type { Agent, Beneficiary, CallOptions } from '@financial-agents/client'
import { wrongUse } from './failure.ts'

const id = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The end of the account, which tells payees of one name apart: `…0154`. */
export function accountWords({ masked_details }: Pick<Beneficiary, 'masked_details'>): string {
  return Object.values(masked_details)
    .map((end) => `…${end}`)
    .join(' ')
}

/** A payee in questions and errors: `Rui Prado (…0154)`. */
export function payeeWords(payee: Pick<Beneficiary, 'name' | 'masked_details'>): string {
  const account = accountWords(payee)
  return account === '' ? payee.name : `${payee.name} (${account})`
}

/** @throws CliError if no payee, or more than one, has the name */
export async function findPayee(agent: Agent, given: string, options: CallOptions): Promise<Beneficiary> {
  if (id.test(given)) return agent.beneficiaries.get(given, options)
  const found: Beneficiary[] = []
  // A letter with an accent may be written as one character or as two. Both look the same.
  const wanted = given.normalize()
  for await (const payee of agent.beneficiaries.list({ limit: 100 }, options))
    if (payee.state !== 'failed' && [payee.name, payee.nickname].some((name) => name?.normalize() === wanted))
      found.push(payee)
  const [only] = found
  if (only && found.length === 1) return only
  throw wrongUse(
    only
      ? `${found.length} payees are named "${given}": name one by its id. ${found.map((payee) => `${payee.id} (${accountWords(payee)})`).join(', ')}`
      : `No payee is named "${given}". Look at: financial-agents payees list`,
  )
}
