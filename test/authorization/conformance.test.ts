/**
 * The conformance cases for authorization servers that apply here (FAPI 2.0 Security Profile with DPoP and
 * private_key_jwt), each with the tests that prove it. A case whose test is gone fails, so the list is complete while
 * it passes.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

type HeldBy = [file: string, ...names: string[]]

const request = 'authorization-request'
const par = 'par'
const code = 'code'
const client = 'token-endpoint-authentication'
const token = 'dpop-at-token'
/** Proofs at a resource, and service accounts' proofs at the token endpoint. */
const resource = '../contract/authentication'

const cases: Record<string, Record<string, HeldBy[]>> = {
  'authorization and PAR': {
    'code bound to its client': [[code, 'of another client, and stays good for its own']],
    'code reused': [[code, 'used again is refused, and everything that came from it is revoked']],
    'code expired': [['lifetimes', 'is refused after 60 s']],
    'redirect URI registered and required': [[request, 'a redirect_uri is exactly a registered one']],
    'response type token': [[request, 'response_type token']],
    'response type code id_token': [[request, 'response_type code id_token']],
    'authorization without PAR': [[par, 'a confidential client that sends its parameters directly is refused']],
    'request_uri reused': [[par, 'may be opened again until the person is done, and never after']],
    'request_uri expired': [['lifetimes', 'is refused after five minutes']],
    'request_uri bound to its client': [[par, 'is of the client that pushed it']],
    'request_uri inside PAR': [[par, 'a request_uri inside']],
    'PAR with GET': [[par, "test.each(['GET', 'PUT', 'DELETE'])('the method %s'"]],
    'duplicate parameters at PAR': [[request, 'state twice', 'at PAR, refused with a JSON error']],
    'PKCE required, plain refused': [[request, 'no PKCE challenge', 'PKCE method plain']],
    'verifier required and checked': [[code, 'without a verifier is refused', 'with a wrong verifier is refused']],
    '64-character nonce': [
      [request, 'with a nonce of 64 characters'],
      ['openid', '64 characters'],
    ],
    'long state, missing state': [[request, 'with a long state', 'without state']],
    'other scope order': [[request, 'in another order of scopes']],
    'owner rejects authentication': [[request, 'to sign in: access_denied', 'to consent: access_denied']],
  },
  'client assertion': {
    'wrong audience': [[client, 'for another audience']],
    'audience as a list': [[client, 'for the issuer in a list', 'for the issuer and another']],
    'PAR or token endpoint as audience': [[client, 'for the token endpoint', 'for the PAR endpoint']],
    'no sub': [[client, 'without sub']],
    'expired five minutes ago': [[client, 'that ended five minutes ago']],
    RS256: [[client, 'with RS256']],
    'iat and nbf 8 s ahead': [[client, 'takes an assertion made 8 s ahead']],
    'iat and nbf over 60 s ahead': [[client, 'made in over a minute', 'good in over a minute']],
    'assertion required': [[client, 'that is missing']],
    'client id required': [[client, 'without client_id is refused']],
  },
  'DPoP at the token endpoint and PAR': {
    'dpop_jkt mismatch at PAR': [[par, 'by another key than dpop_jkt is refused']],
    'dpop_jkt mismatch at the token endpoint': [[code, 'with a proof by another key than dpop_jkt is refused']],
    'binding by a proof at PAR': [[par, 'without dpop_jkt binds the code to its key']],
    'iat 10 s before or after': [
      [token, 'made 10 s ago', 'made in 10 s'],
      [resource, 'made 10 s ago', 'made in 10 s'],
    ],
    'iat one hour either way': [
      [token, 'made an hour ago', 'made in an hour'],
      [resource, 'made an hour ago'],
    ],
    'nbf and exp honoured': [
      [token, 'past its exp', 'before its nbf'],
      [resource, 'past its exp', 'before its nbf'],
    ],
    'holder of key required on refresh': [['refresh', 'proves the original key', 'proves it has a key at all']],
  },
  'a proof that is refused': Object.fromEntries(
    [
      'without typ',
      'with another typ',
      'without alg',
      'with alg none',
      'signed by another key',
      'without jwk',
      'with a private jwk',
      'without jti',
      'without iat',
      'without htm',
      'without htu',
      'for another method',
      'for another host',
    ].map((name): [string, HeldBy[]] => [
      name,
      [
        [token, name],
        [resource, name],
      ],
    ]),
  ),
  'DPoP at a resource': {
    'scheme name in any letter case': [[resource, 'with the scheme in capitals', 'with the scheme in small letters']],
    'header name in any letter case': [
      ['../../services/gateway/src/authentication', 'the header names in any letter case'],
    ],
    'htu with query and fragment': [
      [resource, 'whose htu has query and fragment'],
      [token, 'whose htu has query and fragment'],
    ],
    'missing or wrong ath': [[resource, 'without ath', 'with the ath of another token']],
    malformed: [
      [resource, 'that is no JWS'],
      [token, 'with a proof that is no JWS'],
    ],
    unsigned: [
      [resource, 'without a signature'],
      [token, 'with a proof without a signature'],
    ],
    'two proofs': [
      [resource, 'sent twice'],
      [token, 'with two proofs'],
    ],
    'a proof for another token': [[resource, 'with the ath of another token']],
    'access token without a proof': [
      [resource, 'that is not there'],
      ['rejected-features', 'without a proof'],
    ],
  },
  discovery: {
    'metadata complete': [['discovery', 'names what is supported, exactly', 'names the issuer']],
    'iss in every response': [
      [request, 'with its state and the issuer'],
      ['expectations', 'iss: environment().baseUrl'],
    ],
  },
}

const textOf = (file: string) => {
  const name = file === 'expectations' ? `${file}.ts` : `${file}.test.ts`
  return readFileSync(join(import.meta.dirname, name), 'utf8')
}

describe.each(Object.entries(cases))('%s', (_group, held) => {
  test.each(Object.entries(held))('%s', (_case, tests) => {
    for (const [file, ...names] of tests) for (const name of names) expect(textOf(file)).toContain(name)
  })
})
