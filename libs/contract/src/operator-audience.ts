/**
 * What an operator's token names: the console is issuer and client, the operators' routes are the audience. No customer's
 * token has any of it, and none of it means anything on a customer's route.
 */

/** Issuer and audience of operators' tokens, of the environment at this origin. */
export function operatorAudience(baseUrl: string): string {
  return `${baseUrl}/v1/ops`
}

/** `client_id` of operators' tokens. */
export const operatorClientId = 'ops-console'
