/**
 * The security schemes: DPoP-bound access tokens of customers or operators, and the session cookie on the one route for
 * pages.
 */

import { operatorAudience } from '../operator-audience.ts'
import { type Route, scopesOf } from '../route.ts'
import { operatorScopes, scopes } from '../scopes.ts'
import { sessionCookie } from './origin.ts'

/** The member `components.securitySchemes` of the document. */
export function securitySchemes(baseUrl: string): Record<string, unknown> {
  return {
    dpop: {
      type: 'http',
      scheme: 'DPoP',
      description: `\`Authorization: DPoP <access token>\`, and in the header \`DPoP\` a proof of possession that is made anew for every request (RFC 9449): ES256, \`htm\`, \`htu\`, \`ath\`, a new \`jti\` and \`iat\`, and the latest \`DPoP-Nonce\` as \`nonce\`. Bearer tokens, shared client secrets and ID tokens are refused. Access tokens live five minutes. Clients are registered beforehand for one profile. Authorization code needs PKCE S256 and \`dpop_jkt\` (confidential clients: pushed authorization requests, \`private_key_jwt\`); service accounts use client credentials with \`private_key_jwt\`; command-line clients may use device authorization (RFC 8628). \`resource\` is \`${baseUrl}\`. Scopes: ${listOf(scopes)}.`,
      'x-authorization-server': {
        metadata_url: `${baseUrl}/.well-known/oauth-authorization-server`,
        authorization_url: `${baseUrl}/oauth/authorize`,
        token_url: `${baseUrl}/oauth/token`,
        resource: baseUrl,
        scopes,
      },
    },
    operator: {
      type: 'http',
      scheme: 'DPoP',
      description: `An operator's token. It is sent with a proof, like every other token (\`dpop\`). It is valid only on \`/v1/ops/\`, where no other token is valid. Issuer and audience are \`${operatorAudience(baseUrl)}\`. No OAuth flow of this API issues it. The console (\`/ops\`) makes it for an operator whom the organisation's own OpenID provider has signed in. It is bound to a key of the console's session, and valid for five minutes. Scopes, by the groups of the operator: ${listOf(operatorScopes)}.`,
    },
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: sessionCookie(baseUrl),
      description: 'The session of a browser on the pages of this origin. API clients have none.',
    },
  }
}

function listOf(all: Readonly<Record<string, string>>): string {
  return Object.entries(all)
    .map(([scope, grants]) => `\`${scope}\` (${grants})`)
    .join('; ')
}

/**
 * The alternatives of a row: each is one scope. In OpenAPI 3.1 the list may name required scopes even if the scheme is
 * not `oauth2`, which clients would take for bearer tokens.
 */
export function securityOf(row: Route): Record<string, readonly string[]>[] {
  if (row.browserSession) return [{ session: [] }, {}]
  if (row.audience === 'operator') return [{ operator: scopesOf(row) }]
  return scopesOf(row).map((scope) => ({ dpop: [scope] }))
}
