/**
 * Random requests to every endpoint and page of the authorization server. Most are almost good, so that they pass the
 * first checks.
 */

import type { HeaderList } from './http.ts'
import { type Parameters, type Party, paths } from './party.ts'
import { inHeader, inQuery, mutate, type Random, randomOf } from './random.ts'

export type RandomRequest = { method: string; target: string; headers: HeaderList; body: string | undefined }

/** Good values: clients with consent, tokens, and the cookies of a signed-in browser. */
export type Material = {
  web: Party
  spa: Party
  device: Party
  refreshToken: string
  accessToken: string
  deviceCode: string
  userCode: string
  cookie: string
  /** Paths of open interactions, and pages' forms with their hidden fields. */
  forms: { path: string; fields: Parameters }[]
}

const get = ['GET', 'GET', 'GET', 'GET', 'HEAD', 'POST', 'OPTIONS', 'DELETE']
const post = ['POST', 'POST', 'POST', 'POST', 'POST', 'PUT', 'GET', 'OPTIONS']

type Draft = { path: string; methods: string[]; parameters: Parameters; proven?: Party }

export function randomAuthorizationRequest(seed: string, index: number, material: Material): RandomRequest {
  const random = randomOf(`${seed} ${index}`)
  const { below, pick, scrap } = random
  const draft = pick(drafts)(material, random)
  const method = pick(draft.methods)
  const parameters = mutate(draft.parameters, random)
  const encoded = encode(parameters, below(6) === 0)
  const path =
    below(15) === 0 ? `${draft.path}${inQuery(scrap(), true).replace(/[?#]/g, '').slice(0, 400)}` : draft.path
  const inBody = method === 'POST' || method === 'PUT' || below(12) === 0
  const headers = randomHeaders(random, material, draft.proven)
  if (inBody && below(12) > 0) headers.push(['content-type', 'application/x-www-form-urlencoded'])
  else if (inBody)
    headers.push(['content-type', pick(['application/json', 'text/plain', 'multipart/form-data', ';', ''])])
  const body = inBody ? (below(20) === 0 ? scrap() : encoded) : undefined
  return { method, target: inBody ? path : `${path}?${encoded}`.slice(0, 12_000), headers, body }
}

const authentication = ({ web }: Material, { below, scrap }: Random): Parameters => ({
  client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
  client_assertion: below(5) === 0 ? scrap() : web.assertion(below(4) === 0 ? { aud: scrap(), jti: scrap() } : {}),
})

const drafts: ((material: Material, random: Random) => Draft)[] = [
  ({ spa }) => ({ path: paths.authorize, methods: get, parameters: spa.request().parameters }),
  ({ spa }, { below }) => ({
    path: paths.authorize,
    methods: get,
    parameters: spa.request({ prompt: below(2) ? 'none' : 'consent' }).parameters,
  }),
  (material, random) => ({
    path: paths.par,
    methods: post,
    parameters: { ...material.web.request().parameters, ...authentication(material, random) },
  }),
  (material, random) => ({
    path: paths.token,
    methods: post,
    parameters: {
      grant_type: 'refresh_token',
      client_id: material.web.client.client_id,
      refresh_token: material.refreshToken,
      ...authentication(material, random),
    },
    proven: material.web,
  }),
  ({ spa }, { scrap }) => ({
    path: paths.token,
    methods: post,
    parameters: {
      grant_type: 'authorization_code',
      client_id: spa.client.client_id,
      code: scrap(),
      code_verifier: 'v'.repeat(43),
      redirect_uri: spa.client.redirect_uris[0],
    },
    proven: spa,
  }),
  ({ device, deviceCode }) => ({
    path: paths.token,
    methods: post,
    parameters: {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      client_id: device.client.client_id,
      device_code: deviceCode,
    },
    proven: device,
  }),
  ({ device }) => ({
    path: paths.device,
    methods: post,
    parameters: { client_id: device.client.client_id, scope: 'operations:read' },
  }),
  (material, random) => ({
    path: paths.revocation,
    methods: post,
    parameters: {
      client_id: material.web.client.client_id,
      token: random.scrap(),
      ...authentication(material, random),
    },
  }),
  ({ userCode }) => ({ path: '/device', methods: [...get, ...post], parameters: { user_code: userCode } }),
  ({ forms }, { pick }) => {
    const { path, fields } = pick(forms)
    return { path, methods: post, parameters: fields }
  },
  ({ forms }, { pick }) => ({ path: pick(forms).path, methods: get, parameters: {} }),
  (_material, { pick, scrap }) => ({
    path: pick([
      '/sign-in/return',
      '/sign-out',
      '/account',
      '/account/sign-in',
      '/account/disconnect',
      '/account/grants/x/revoke',
      '/account/grants/01980000-0000-7000-8000-000000000001/revoke',
      '/confirm/x',
      '/confirm/01980000-0000-7000-8000-000000000001',
      '/approval/return/x',
      '/approval/return/01980000-0000-7000-8000-000000000001',
      '/interaction/x',
      '/interaction/x/consent',
      '/interaction/x/signed-in',
      '/interaction/',
      '/v1/session',
      '/oauth/jwks',
      '/.well-known/openid-configuration',
    ]),
    methods: [...get, ...post],
    parameters: { state: scrap(), decision: 'allow' },
  }),
]

function randomHeaders({ below, pick, scrap }: Random, material: Material, proven: Party | undefined): HeaderList {
  const headers: HeaderList = []
  if (below(4) > 0) headers.push(['cookie', below(8) === 0 ? inHeader(scrap()) : material.cookie])
  if (below(3) > 0) headers.push(['accept', 'text/html'])
  if (proven && below(5) > 0) headers.push(['dpop', proven.proof(paths.token)])
  if (below(8) === 0) headers.push(['dpop', inHeader(scrap()).slice(0, 4_000)])
  // The request id is logged unchanged, so it never contains a value that another request sends as a secret.
  if (below(9) === 0) headers.push(['x-request-id', `id-${inHeader(scrap())}`.slice(0, 2_000)])
  for (const name of ['authorization', 'origin', 'accept', 'x-forwarded-host', 'forwarded', 'referer'])
    if (below(9) === 0) headers.push([name, inHeader(scrap()).slice(0, 2_000)])
  if (below(12) === 0) headers.push(['origin', pick(['null', 'https://evil.example'])])
  return headers
}

function encode(parameters: Parameters, raw: boolean): string {
  return Object.entries(parameters)
    .flatMap(([name, value]) =>
      value === undefined ? [] : [value].flat().map((one) => `${inQuery(name, raw)}=${inQuery(one, raw)}`),
    )
    .join('&')
}
