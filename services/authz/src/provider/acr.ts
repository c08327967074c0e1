/**
 * The authentication of owners: at the provider with their device, or by a session that such a sign-in began (contract,
 * rule 8).
 */

export const acr = 'urn:service:acr:provider-device'
