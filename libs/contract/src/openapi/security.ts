/**
 * The security schemes: DPoP-bound access tokens of customers or operators, and the session cookie on the one route for
 * pages.
 */

import { operatorAudience } from '../operator-audience.ts'
import { type Route, scopesOf } from '../route.ts'
import { operatorScopes, scopes } from '../scopes.ts'

/** The member `components.securitySchemes` of the document. */
export function securitySchemes(baseUrl: string): Record<string, unknown> {
  const tokenUrl = `${baseUrl}/oauth/token`
  return {
    dpop: {
      type: 'http',
      scheme: 'DPoP',
      description:
        '`Authorization: DPoP <access token>`, with a proof of possession in the header `DPoP` that is made anew for every request (RFC 9449, ES256). Bearer tokens, shared client secrets and ID tokens are refused.',
    },
    oauth2: {
      type: 'oauth2',
      description: `Access tokens live five minutes and are bound to the client's DPoP key. Metadata: \`${baseUrl}/.well-known/oauth-authorization-server\`. Clients are registered beforehand for one profile. Authorization code needs PKCE S256 and \`dpop_jkt\` (confidential clients: pushed authorization requests, \`private_key_jwt\`); service accounts use client credentials with \`private_key_jwt\`; command-line clients may use device authorization (RFC 8628), which OpenAPI 3.1 has no word for. \`resource\` is \`${baseUrl}\`.`,
      flows: {
        authorizationCode: { authorizationUrl: `${baseUrl}/oauth/authorize`, tokenUrl, refreshUrl: tokenUrl, scopes },
        clientCredentials: { tokenUrl, scopes },
      },
    },
    operator: {
      type: 'http',
      scheme: 'DPoP',
      bearerFormat: 'at+jwt',
      description: `An operator's token: sent as every other, with a proof (\`dpop\`), and good on \`/v1/ops/\` alone, where no other is. Issuer and audience are \`${operatorAudience(baseUrl)}\`. No OAuth flow of this API issues one: the console (\`/ops\`) makes it for whoever the organisation's own OpenID provider signed in, bound to a key that the console's session holds, for five minutes. Scopes, by the groups of the operator: ${Object.entries(
        operatorScopes,
      )
        .map(([scope, grants]) => `\`${scope}\` (${grants})`)
        .join('; ')}.`,
    },
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: baseUrl.startsWith('https:') ? '__Host-session' : 'session',
      description: 'The session of a browser on the pages of this origin. API clients have none.',
    },
  }
}

/** The alternatives of a row. Each is one scope, in a token that is sent with a proof. */
export function securityOf(row: Route): Record<string, readonly string[]>[] {
  if (row.browserSession) return [{ session: [] }, {}]
  // In OpenAPI 3.1 the list may name required scopes even if the scheme is not OAuth.
  if (row.audience === 'operator') return [{ operator: scopesOf(row) }]
  return scopesOf(row).map((scope) => ({ dpop: [], oauth2: [scope] }))
}
