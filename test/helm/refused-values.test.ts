/** Values that cannot work are refused before the installation, with a message that names the value. */

import { describe, expect, test } from 'vitest'
import { profile } from './cases.ts'
import { helmTemplate, type RenderOptions } from './render.ts'
import { needTools, toolPath } from './tools.ts'

needTools('helm')

type Case = [what: string, set: RenderOptions['set'] & object, words: string | RegExp]

const render = (base: 'production' | 'development', set: RenderOptions['set'] & object) =>
  helmTemplate({ helm: toolPath('helm'), values: profile(base), set, more: ['--show-only', 'templates/service.yaml'] })

const inProduction: Case[] = [
  // Required values.
  ['no public base URL', { publicBaseUrl: '' }, "'/publicBaseUrl'"],
  ['no registry', { 'image.registry': '' }, "'/image/registry': minLength"],
  ['no address of NATS', { 'nats.url': '' }, "'/nats/url': minLength"],
  ['no address of the provider', { 'provider.url': '' }, "'/provider/url': minLength"],
  ['no place of PostgreSQL', { 'postgres.networkPolicy.to': [] }, "'/postgres/networkPolicy/to': minItems"],
  ['no identity provider', { 'console.identityProvider.issuer': '' }, "'/console/identityProvider/issuer': minLength"],
  ['no client at it', { 'console.identityProvider.clientId': '' }, "'/console/identityProvider/clientId': minLength"],
  ['no groups of it', { 'console.identityProvider.groups': {} }, "'/console/identityProvider/groups': minProperties"],
  ['no Gateway', { 'gatewayApi.enabled': true }, "'/gatewayApi/parentRefs': minItems"],
  ['no runbooks', { 'observability.prometheusRule.enabled': true }, "'/observability/runbookBaseUrl': minLength"],
  [
    'no place of the collector',
    { 'observability.otlp.endpoint': 'http://collector:4318' },
    "'/observability/otlp/networkPolicy/to': minItems",
  ],
  ['an unknown value', { replicas: 3 }, "additional properties 'replicas' not allowed"],
  ['an unknown component', { 'components.gatway': {} }, "'/components': additional properties 'gatway' not allowed"],
  ['a misspelt value', { 'components.gateway.replica': 3 }, "'/components/gateway': additional properties 'replica'"],
  ['a misspelt value of all', { 'defaults.pbd.enabled': true }, "'/defaults': additional properties 'pbd' not allowed"],
  ['an unknown capability', { capabilities: ['cards.show'] }, "'/capabilities/0': value must be one of"],
  ['an unknown scope', { 'console.identityProvider.groups': { all: ['ops:write'] } }, 'value must be one of'],
  ['an accent for light pages alone', { 'branding.accent.light': '#0a5c48' }, "'/branding/accent/dark': minLength"],
  ['terms without https', { 'branding.termsUrl': 'http://a.example' }, "'/branding/termsUrl'"],
  // Wrong types and numbers.
  ['text for a number', { 'components.gateway.replicas': 'three' }, "'/components/gateway/replicas': got string, want"],
  ['a negative number', { 'components.gateway.replicas': -1 }, "'/components/gateway/replicas': minimum: got -1"],
  ['text for a truth', { 'ingress.enabled': 'yes' }, "'/ingress/enabled': got string, want boolean"],
  ['a list for text', { 'nats.url': ['nats://a:4222'] }, "'/nats/url': got array, want string"],
  [
    'an even number of replicas of streams',
    { 'streams.replicas': 2 },
    "'/streams/replicas': value must be one of 1, 3, 5",
  ],
  [
    'a budget that blocks drains',
    { 'components.authz.pdb.maxUnavailable': 0 },
    "'/components/authz/pdb/maxUnavailable'",
  ],
  ['a port that is none', { 'gateway.service.port': 70_000 }, "'/gateway/service/port': maximum"],
  // Values that cannot be used.
  [
    'plain http',
    { publicBaseUrl: 'http://api.example.com' },
    "'/publicBaseUrl': 'http://api.example.com' does not match",
  ],
  [
    'a path',
    { publicBaseUrl: 'https://api.example.com/v1' },
    "'/publicBaseUrl': 'https://api.example.com/v1' does not",
  ],
  ['a slash at the end', { publicBaseUrl: 'https://api.example.com/' }, "'/publicBaseUrl'"],
  ['plain http of the console', { 'console.baseUrl': 'http://console.example.com' }, "'/console/baseUrl'"],
  [
    'plain http of the issuer',
    { 'console.identityProvider.issuer': 'http://sso' },
    "'/console/identityProvider/issuer'",
  ],
  ['another protocol for NATS', { 'nats.url': 'http://nats' }, "'/nats/url': 'http://nats' does not match"],
  ['an unknown environment', { environment: 'staging' }, "'/environment': value must be one of 'production'"],
  ['an unknown mode', { 'migrations.mode': 'job' }, "'/migrations/mode': value must be one of 'hook', 'initContainer'"],
  ['an unknown mode of streams', { 'streams.mode': 'initContainer' }, "'/streams/mode': value must be one of"],
  ['an unknown level', { logLevel: 'verbose' }, "'/logLevel': value must be one of"],
  ['a tag that moves', { 'image.tag': 'latest' }, "'/image/tag'"],
  ['half a digest', { 'components.gateway.image.digest': 'sha256:abc' }, "'/components/gateway/image/digest'"],
  ['a name that is none', { fullnameOverride: 'Upper' }, "'/fullnameOverride': 'Upper' does not match"],
  ['a name that is too long', { fullnameOverride: 'a'.repeat(37) }, "'/fullnameOverride': maxLength: got 37, want 36"],
  ['a proxy that is none', { 'gateway.trustedProxies': ['10.0.0.0/8x'] }, "'/gateway/trustedProxies/0'"],
  ['a range without a length', { 'networkPolicy.internet': [{ ipBlock: { cidr: '10.0.0.0' } }] }, '/ipBlock/cidr'],
  ['a range that is too long', { 'networkPolicy.internet': [{ ipBlock: { cidr: '10.0.0.0/33' } }] }, '/ipBlock/cidr'],
  ['an internet that is everything', { 'networkPolicy.internet': [] }, "'/networkPolicy/internet': minItems"],
  [
    'a variable of no name',
    { 'components.authz.env': { url: 'https://bank.example' } },
    "'/components/authz/env': additional properties 'url' not allowed",
  ],
  [
    'a secret variable of no name',
    { 'components.authz.env': { my_KEY: { valueFrom: {} } } },
    "'/components/authz/env': additional properties 'my_KEY' not allowed",
  ],
  [
    'a group of no name',
    { 'console.identityProvider.groups': { 'a=b': ['ops:read'] } },
    "'/console/identityProvider/groups': additional properties 'a=b' not allowed",
  ],
  ['a secret in plain text', { 'components.authz.env': { DATABASE_URL: 'postgres://a:b@c/d' } }, 'DATABASE_URL'],
  // Values that do not fit together.
  [
    'both ways in',
    { 'ingress.enabled': true, gatewayApi: { enabled: true, parentRefs: [{ name: 'public' }] } },
    "'/gatewayApi/enabled': value must be false",
  ],
  ['development in production', { 'development.enabled': true }, "'/development/enabled': value must be false"],
  ['sign-in at the fake provider', { 'provider.deviceAuthentication': 'fake' }, "'/provider/deviceAuthentication'"],
  ['an adapter without a package', { 'provider.adapters': { acme: {} } }, "'/provider/adapters/acme'"],
  [
    'an adapter of no name',
    { 'provider.adapters': { Acme: { package: 'http' } } },
    "'/provider/adapters': additional properties 'Acme' not allowed",
  ],
  [
    'a variable of an adapter of no name',
    { 'provider.adapters': { acme: { package: 'http', env: { url: 'https://bank.example' } } } },
    "'/provider/adapters/acme/env': additional properties 'url' not allowed",
  ],
  [
    'secrets of an adapter from nowhere',
    { 'provider.adapters': { acme: { package: 'http', secrets: { KEY: '' } } } },
    'provider.adapters.acme: existingSecret',
  ],
  [
    'an image of an adapter without a tag',
    { 'provider.adapters': { acme: { package: 'a', image: { repository: 'acme' } } } },
    "'/provider/adapters/acme/image'",
  ],
  [
    'an image of an adapter whose tag moves',
    { 'provider.adapters': { acme: { package: 'a', image: { repository: 'acme', tag: 'latest' } } } },
    "'/provider/adapters/acme/image/tag'",
  ],
  [
    'an image of an adapter that is built in',
    { 'provider.adapters': { acme: { package: 'http', image: { repository: 'acme', tag: '1' } } } },
    'provider.adapters.acme: an adapter with an image has a package that is not built in',
  ],
  [
    'an image of an adapter beside the volume of all',
    {
      'provider.adapters': { acme: { package: 'a', image: { repository: 'acme', tag: '1' } } },
      'provider.adapterVolume': { persistentVolumeClaim: { claimName: 'adapters' } },
    },
    'provider.adapters.acme: give its image or provider.adapterVolume, not both',
  ],
  [
    'a way to another port than that of the address',
    { 'provider.adapters': { acme: { package: 'a', env: { URL: 'https://a.example:9443' }, networkPolicy: {} } } },
    'provider.adapters.acme.env.URL: port 9443 is not in provider.networkPolicy.ports',
  ],
  [
    'an own way to another port than that of the address',
    {
      'provider.adapters': {
        acme: { package: 'a', env: { URL: 'https://a.example:9443' }, networkPolicy: { ports: [8443] } },
      },
    },
    'provider.adapters.acme.env.URL: port 9443 is not in provider.adapters.acme.networkPolicy.ports',
  ],
  ['a first adapter that is none', { 'provider.firstAdapter': 'acme' }, 'provider.firstAdapter: acme is not in'],
  ['two authorities', { 'nats.ca': { secret: 'a', configMap: 'b' } }, "'/nats/ca/configMap'"],
  [
    'a grace that is shorter than the shutdown',
    { 'components.gateway.terminationGracePeriodSeconds': 25 },
    'components.gateway: terminationGracePeriodSeconds must be at least',
  ],
  [
    'a range of replicas that is none',
    { 'components.authz.hpa': { enabled: true, max: 1 } },
    'components.authz: hpa.max is less',
  ],
  [
    'more connections than the role may have',
    { 'components.authz.replicas': 9 },
    'components.authz: 10 connections each for 9 replicas',
  ],
  [
    'clients without authz',
    { 'components.authz.enabled': false, 'clients.existingConfigMap': 'clients' },
    'components.authz is not enabled',
  ],
  ['streams without the submitter', { 'components.submitter.enabled': false }, 'components.submitter is not enabled'],
]

const inDevelopment: Case[] = [
  [
    'a hook that needs the PostgreSQL of the same release',
    { 'streams.mode': 'hook', 'development.nats.enabled': false, 'nats.url': 'nats://nats.nats.svc:4222' },
    "'/streams/mode': value must be one of 'job', 'external'",
  ],
  ['the development profile in production', { environment: 'production' }, "'/publicBaseUrl': 'http://localhost:8080'"],
]

describe('production refuses', () => {
  test.each(inProduction)('%s', async (_, set, words) => {
    const { code, stdout, stderr } = await render('production', set)
    expect(stderr).toMatch(typeof words === 'string' ? new RegExp(RegExp.escape(words)) : words)
    expect(code).not.toBe(0)
    expect(stdout).toBe('')
  })
})

describe('development refuses', () => {
  test.each(inDevelopment)('%s', async (_, set, words) => {
    const { code, stderr } = await render('development', set)
    expect(stderr).toMatch(typeof words === 'string' ? new RegExp(RegExp.escape(words)) : words)
    expect(code).not.toBe(0)
  })
})

test('values of other charts under `global` are ignored', async () => {
  const { code, stderr } = await render('production', { 'global.other': { chart: true } })
  expect(code, stderr).toBe(0)
})
