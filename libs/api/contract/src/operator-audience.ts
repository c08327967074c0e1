/**
 * Issuer, audience and client of operators' tokens. The issuer and the client are the console, the audience is the
 * operators' routes. Customers' tokens have none of these values, and customers' routes accept none of them.
 */

/** The issuer and audience of operators' tokens, for the environment at this origin. */
export function operatorAudience(baseUrl: string): string {
  return `${baseUrl}/v1/ops`
}

/** The `client_id` of operators' tokens. */
export const operatorClientId = 'ops-console'
