import { generateKeyPairSync } from 'node:crypto'
import { accountPageClient } from '@financial-agents/contract/principal'
import { describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { isClientId, localRegistration, sectorOf } from './registration.ts'
import { parseRegistrations } from './registration-file.ts'

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const jwk = publicKey.export({ format: 'jwk' })
const base = { client_id: 'c', name: 'C', scopes: ['operations:read'] }
const of = {
  web: { ...base, profile: 'web', redirect_uris: ['https://app.example/callback'], jwks: { keys: [jwk] } },
  spa: { ...base, profile: 'spa', redirect_uris: ['https://app.example/'], origins: ['https://app.example'] },
  native: { ...base, profile: 'native', redirect_uris: ['http://127.0.0.1/callback', 'com.example.app:/callback'] },
  device: { ...base, profile: 'device' },
  service: {
    ...base,
    profile: 'service',
    jwks: { keys: [jwk] },
    service_owner: '01980000-0000-7000-8000-000000000001',
  },
}

const euro = (amount: string) => ({ amount, currency: 'EUR' })
const dollar = (amount: string) => ({ amount, currency: 'USD' })
const parse = (...clients: unknown[]) => parseRegistrations('clients.yaml', stringify({ clients }))

function refusal(client: unknown): string {
  try {
    parse(client)
  } catch (error) {
    return (error as Error).message
  }
  throw new Error('was accepted')
}

test('no client can be registered as the account page, for which owners act themselves', () => {
  expect(isClientId(accountPageClient)).toBe(false)
  expect(refusal({ ...of.service, client_id: accountPageClient })).toContain('client_id')
})

describe('a registration of each profile is read', () => {
  test.each(Object.entries(of))('%s', (_profile, client) => {
    expect(parse(client)).toEqual([client])
  })

  test('with everything that is optional', () => {
    const client = {
      ...of.web,
      scopes: ['openid', 'operations:read'],
      sector_identifier: 'example.com',
      logo_uri: 'https://app.example/logo.svg',
      policy: {
        withdrawal_confirmation_above: { amount: '100.00', currency: 'EUR' },
        withdrawal_ceilings: { per_payment: { amount: '500.00', currency: 'EUR' } },
      },
    }
    expect(parse(client)).toEqual([client])
  })

  test('with keys behind an address', () => {
    const { jwks: _jwks, ...client } = of.service
    expect(parse({ ...client, jwks_uri: 'https://keys.example/jwks' })).toHaveLength(1)
  })
})

describe('plain HTTP on loopback, for an application in the browser,', () => {
  const local = (origin: string) => ({ ...of.spa, redirect_uris: [`${origin}/docs/try/`], origins: [origin] })
  const parseLocal = (client: unknown) =>
    parseRegistrations('clients.yaml', stringify({ clients: [client] }), localRegistration)

  test('is taken by the environment local alone', () => {
    expect(parseLocal(local('http://127.0.0.1:8080'))).toEqual([local('http://127.0.0.1:8080')])
    expect(refusal(local('http://127.0.0.1:8080'))).toContain('redirect_uris.0: must be an https URL')
    expect(refusal(local('http://127.0.0.1:8080'))).toContain('origins.0: must be an https origin')
  })

  test.each(['http://app.example', 'http://localhost:8080', 'http://127.0.0.1.app.example', 'ftp://127.0.0.1'])(
    'is not %s',
    (origin) => {
      expect(() => parseLocal(local(origin))).toThrow('redirect_uris.0: must be an exact https address')
    },
  )

  test('is exact', () => {
    const inexact = { ...of.spa, redirect_uris: ['http://127.0.0.1/*'], origins: ['http://127.0.0.1/'] }
    expect(() => parseLocal(inexact)).toThrow(/redirect_uris\.0: .*\n.*origins\.0: /)
  })
})

describe('a registration is refused, naming file, client and field:', () => {
  test.each<[string, object, string]>([
    [
      'an unknown member',
      { ...of.service, grant_types: ['password'] },
      'grant_types: is not a member of a client of this profile',
    ],
    [
      'redirects of a service',
      { ...of.service, redirect_uris: ['https://a.example/'] },
      'redirect_uris: is not a member of a client of this profile',
    ],
    [
      'an unknown profile',
      { ...of.service, profile: 'robot' },
      'profile: must be one of web, spa, native, device, service',
    ],
    [
      'a scope that nobody gets',
      { ...of.service, scopes: ['purchases:execute'] },
      'scopes.0: is not a scope that a client can be given',
    ],
    [
      'openid for a service',
      { ...of.service, scopes: ['openid'] },
      'scopes.0: is not a scope that a client can be given',
    ],
    ['a scope twice', { ...of.device, scopes: ['kyc:read', 'kyc:read'] }, 'scopes: must not name the same value twice'],
    [
      'an owner that is no UUID',
      { ...of.service, service_owner: 'alice' },
      'service_owner: must be the id of an owner (a UUID)',
    ],
    ['no keys', { ...of.service, jwks: undefined }, 'jwks: give either jwks or jwks_uri'],
    ['keys and an address', { ...of.web, jwks_uri: 'https://k.example/' }, 'jwks: give either jwks or jwks_uri'],
    [
      'keys of an http address',
      { ...of.service, jwks: undefined, jwks_uri: 'http://k.example/' },
      'jwks_uri: must be an https URL',
    ],
    [
      'a private key',
      { ...of.service, jwks: { keys: [privateKey.export({ format: 'jwk' })] } },
      'jwks.keys.0.d: is the private part of a key: register the public one and consider this one lost',
    ],
    [
      'an RSA key',
      { ...of.service, jwks: { keys: [{ ...jwk, kty: 'RSA' }] } },
      'jwks.keys.0.kty: must be EC: only ES256 keys are taken',
    ],
    [
      'a key off the curve',
      { ...of.service, jwks: { keys: [{ ...jwk, y: jwk.x }] } },
      'jwks.keys.0: is not a point of P-256',
    ],
    [
      'a plain http redirect',
      { ...of.web, redirect_uris: ['http://app.example/'] },
      'redirect_uris.0: must be an https URL',
    ],
    [
      'a redirect with a fragment',
      { ...of.spa, redirect_uris: ['https://app.example/#x'] },
      'redirect_uris.0: must be an exact address: no fragment, no user name, no wildcard',
    ],
    [
      'a wildcard redirect',
      { ...of.spa, redirect_uris: ['https://*.example/'] },
      'redirect_uris.0: must be an exact address: no fragment, no user name, no wildcard',
    ],
    [
      'an origin with a path',
      { ...of.spa, origins: ['https://app.example/'] },
      'origins.0: must be an https origin such as https://app.example.com',
    ],
    [
      'localhost by name',
      { ...of.native, redirect_uris: ['http://localhost/cb'] },
      'redirect_uris.0: must be an https address, http://127.0.0.1 or http://[::1] with a path, or a private scheme such as com.example.app:/callback',
    ],
    [
      'a script as redirect',
      { ...of.native, redirect_uris: ['javascript:alert(1)'] },
      'redirect_uris.0: must be an https address, http://127.0.0.1 or http://[::1] with a path, or a private scheme such as com.example.app:/callback',
    ],
    [
      'two hosts without a sector',
      { ...of.web, redirect_uris: ['https://a.example/', 'https://b.example/'] },
      'sector_identifier: is needed where redirect_uris have several hosts',
    ],
    [
      'a sector that is a URL',
      { ...of.web, sector_identifier: 'https://a.example' },
      'sector_identifier: must be a host name in lower case',
    ],
    [
      'a control character in the name',
      { ...of.device, name: 'a\u0007b' },
      'name: must be 1 to 100 characters without control characters',
    ],
    ['a name that cannot be seen', { ...of.device, name: '\u3164 \u200B' }, 'name: must be something that can be seen'],
    [
      'a name that is read backwards',
      { ...of.device, name: 'A\u202Eknab ruoY' },
      'name: must be 1 to 100 characters without control characters',
    ],
    [
      'ceilings in two currencies',
      { ...of.device, policy: { withdrawal_ceilings: { per_payment: euro('1'), per_day: dollar('1') } } },
      'policy: amounts must be in one currency',
    ],
    [
      'a confirmation in another currency',
      {
        ...of.device,
        policy: { withdrawal_confirmation_above: dollar('1'), withdrawal_ceilings: { per_day: euro('1') } },
      },
      'policy: amounts must be in one currency',
    ],
    [
      'a payment above what a day allows',
      { ...of.device, policy: { withdrawal_ceilings: { per_payment: euro('10.01'), per_day: euro('10') } } },
      'policy.withdrawal_ceilings.per_payment: must not be above per_day',
    ],
    [
      'a ceiling finer than its currency',
      { ...of.device, policy: { withdrawal_ceilings: { per_day: euro('10.005') } } },
      'policy.withdrawal_ceilings.per_day.amount: Send at most 2 digits after the point: EUR has no smaller unit.',
    ],
    [
      'a confirmation above an amount finer than its currency',
      { ...of.device, policy: { withdrawal_confirmation_above: euro('0.001') } },
      'policy.withdrawal_confirmation_above.amount: Send at most 2 digits after the point: EUR has no smaller unit.',
    ],
    [
      'an amount that is a number',
      { ...of.device, policy: { withdrawal_confirmation_above: { amount: 5, currency: 'EUR' } } },
      'policy.withdrawal_confirmation_above.amount: Send a decimal string such as "12.50".',
    ],
    [
      'an unknown member of the policy',
      { ...of.device, policy: { ceilings: {} } },
      'policy.ceilings: is not a member of a client of this profile',
    ],
  ])('%s', (_name, client, message) => {
    expect(refusal(client)).toBe(`clients.yaml: client "c": ${message}`)
  })

  test('everything at once, one line each', () => {
    const message = refusal({ ...of.service, client_id: 'bad id', scopes: [], logo_uri: 'x' })
    expect(message.split('\n').map((line) => line.split(': ')[2])).toEqual(['client_id', 'logo_uri', 'scopes'])
  })

  test('a client twice, and one without an id', () => {
    expect(() => parse(of.device, of.device)).toThrow('clients.yaml: client "c": client_id: is registered twice')
    expect(() => parse({ profile: 'device' })).toThrow('clients.yaml: client number 1: client_id:')
  })
})

test.each([
  ['clients: [', 'clients.yaml: line 1: is not YAML'],
  ['clients: []\nclients: []', 'clients.yaml: line 2: is not YAML'],
  ['', 'clients.yaml: must have the one member clients'],
  ['client: []', 'clients.yaml: must have the one member clients'],
  ['clients: {}', 'clients.yaml: clients: must be a list'],
])('a file that is no list of clients is refused: %j', (text, message) => {
  expect(() => parseRegistrations('clients.yaml', text)).toThrow(message)
})

test('the sector is the declared one, else the host of the redirects, else the client', () => {
  const [web, native, service, declared] = parse(
    { ...of.web, client_id: 'w' },
    { ...of.native, client_id: 'n' },
    { ...of.service, client_id: 's' },
    { ...of.service, client_id: 'd', sector_identifier: 'example.com' },
  )
  expect([web, native, service, declared].map((client) => client && sectorOf(client))).toEqual([
    'app.example',
    'client:n',
    'client:s',
    'example.com',
  ])
})
