/**
 * The cases of an OpenID provider at which people sign in. They read only its metadata, so nobody has to sign in and no
 * client has to be registered. The ID tokens are validated at each sign-in (`libs/provider/openid`).
 */

import assert from 'node:assert/strict'
import { z } from 'zod'
import { patientMs } from './harnesses.ts'
import type { WireCase } from './wire-case.ts'

/**
 * Requires also members for which a library has defaults, because the provider promises only the members that are
 * present. Only the authentication methods have a default of the standard (RFC 8414).
 */
const metadataShape = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
  response_types_supported: z.array(z.string()),
  id_token_signing_alg_values_supported: z.array(z.string()),
  code_challenge_methods_supported: z.array(z.string()),
  token_endpoint_auth_methods_supported: z.array(z.string()).default(['client_secret_basic']),
  authorization_response_iss_parameter_supported: z.literal(true),
})

const clientAuthentications = ['private_key_jwt', 'client_secret_post', 'client_secret_basic']
const asymmetric = /^(?:ES|RS|PS)\d{3}$|^EdDSA$|^Ed25519$/

async function read(address: string): Promise<unknown> {
  const response = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(patientMs) })
  assert.equal(response.status, 200, `${new URL(address).pathname} answered ${response.status}`)
  return response.json()
}

const metadataOf = async (issuer: string) =>
  metadataShape.parse(await read(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`))

export function issuerCases(issuer: string): readonly WireCase[] {
  return [
    {
      name: 'sign-in: the issuer calls itself by its address, and offers the code flow with S256 and `iss` in its response',
      async run() {
        const metadata = await metadataOf(issuer)
        assert.equal(metadata.issuer, issuer)
        assert(metadata.response_types_supported.includes('code'), 'no code flow')
        assert(metadata.code_challenge_methods_supported.includes('S256'), 'no PKCE with S256')
        const methods = metadata.token_endpoint_auth_methods_supported
        assert(
          clientAuthentications.some((one) => methods.includes(one)),
          `none of ${clientAuthentications.join(', ')}`,
        )
      },
    },
    {
      name: 'sign-in: the issuer signs ID tokens with a key that it shows',
      async run() {
        const metadata = await metadataOf(issuer)
        assert(
          metadata.id_token_signing_alg_values_supported.some((alg) => asymmetric.test(alg)),
          'no asymmetric signature',
        )
        const { keys } = z
          .object({ keys: z.array(z.looseObject({ kty: z.string() })) })
          .parse(await read(metadata.jwks_uri))
        assert(
          keys.some(({ kty, use }) => kty !== 'oct' && use !== 'enc'),
          'no key for signatures',
        )
        assert(!keys.some((key) => 'd' in key || 'k' in key), 'the keys show a secret part')
      },
    },
  ]
}
