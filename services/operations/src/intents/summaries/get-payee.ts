/** Finds the beneficiary that a request names. A beneficiary that the client cannot see counts as missing. */

import type { MessageContext } from '@financial-agents/bus/headers'
import type { KnownBeneficiary } from '@financial-agents/bus/messages/resources'
import type { Principal } from '@financial-agents/contract/principal'
import { fieldsProblem } from '@financial-agents/contract/problem'
import { isUuid } from '@financial-agents/postgres/is-uuid'
import type { Asking } from '../asking.ts'

/** `named_by`: the application that added the payee. @throws Problem validation_failed that names the member of the request */
export async function getPayee(
  beneficiary_id: string,
  { principal: { owner_id }, context }: { principal: Principal; context: MessageContext },
  asking: Asking,
): Promise<KnownBeneficiary & { named_by: string | undefined }> {
  const found = isUuid(beneficiary_id) && (await asking.findBeneficiary({ owner_id, beneficiary_id }, context))
  if (found)
    return { ...found, named_by: await asking.clientOfOperation({ owner_id, operation_id: found.operation_id }) }
  throw fieldsProblem([{ path: 'request.body.beneficiary_id', message: 'Send the id of a beneficiary.' }])
}
