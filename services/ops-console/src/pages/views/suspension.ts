/** The parts of the pages that suspend: the fields for the reasons, and the words for what replaces a suspended grant. */

import type { ClientProfile } from '@financial-agents/contract/schemas/authorization'
import type { OperatorGrant } from '@financial-agents/contract/schemas/operator'
import { textArea } from '@financial-agents/pages/fields'
import { type Html, html } from '@financial-agents/pages/html'
import texts from '../../../messages/en.json' with { type: 'json' }
import type { ReasonField, RefusedReasons } from '../suspension-reasons.ts'

const fewest = 3
const mostForOwner = 500

/** `most`: the most characters of the operators' reason. */
export function reasonFields(refused: RefusedReasons | undefined, most: number, more = ''): Html {
  const stateOf = (name: ReasonField, longest: number) => ({
    name,
    value: refused?.entered[name] ?? '',
    error: refused?.fields.has(name) ? `Give a reason of ${fewest} to ${longest} characters.` : undefined,
    minLength: fewest,
    maxLength: longest,
  })
  return html`${textArea({
    ...stateOf('reason', most),
    label: 'Reason',
    hint: `${texts.suspension.reasonHint} ${fewest} to ${most} characters.${more}`,
  })}${textArea({
    ...stateOf('reason_for_owner', mostForOwner),
    label: 'What the owner reads (optional)',
    hint: `${texts.suspension.ownerHint} ${fewest} to ${mostForOwner} characters.`,
    optional: true,
  })}`
}

const consentAnew = texts.suspension.consentAnew

/** The only way in which a client of this profile can act for the owner again. */
export const backWords: { readonly [P in ClientProfile]: string } = {
  web: consentAnew,
  spa: consentAnew,
  native: consentAnew,
  device: texts.suspension.newDeviceCode,
  service: texts.suspension.declareAnew,
}

/** The removal of a service account is the only suspension that ends by itself. */
export function comesBack({ client: { profile }, suspended }: OperatorGrant): string {
  return profile === 'service' && suspended?.by === 'configuration' ? texts.suspension.comesBack : backWords[profile]
}
