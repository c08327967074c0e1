/**
 * One HTTP server in place of the API, for the clients in every language. A case says how it answers each request; metadata, tokens and
 * the reads around a payment it answers by itself. Every request must have a valid proof, as the API demands it.
 */

import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { getFreePort } from '@financial-agents/servers/ports'
import { EmbeddedJWK, jwtVerify } from 'jose'
import { type Answer, json, payeeId, refused } from './answers.ts'

/** One case: the requests seen, and the answers to come. */
export type Script = {
  answers: Answer[]
  /** The answers to requests for tokens; further ones get a token. */
  tokens: Answer[]
  /** The requests that were answered by the script, with `{key}` for the idempotency key. */
  readonly requests: string[]
  /** The body of each idempotency key. Another body under a key is a fault. */
  readonly keys: Map<string, string>
  tokenRequests: number
  /** The time of the newest proof. */
  provedAtMs: number
  /** Faults of the client: a request that the script does not expect, a wrong proof. */
  readonly faults: string[]
}

const nonce = 'nonce-1'
const tokenNeedsNonce = json(400, { error: 'use_dpop_nonce' }, { 'dpop-nonce': nonce })
const needsNonce = refused(
  'use_dpop_nonce',
  401,
  {},
  { 'dpop-nonce': nonce, 'www-authenticate': 'DPoP error="use_dpop_nonce"' },
)

/** Starts the server. `begin` starts the script of the next case. */
export async function startFakeApi() {
  const port = await getFreePort()
  const origin = `http://127.0.0.1:${port}`
  let script = newScript()

  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      // A client whose time is over has gone: its request belongs to a call that has ended.
      if (!request.socket.destroyed) void answer(request, body).then((given) => send(given, request, response))
    })
  })
  const listen = async () => {
    if (server.listening) return
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  await listen()

  async function answer(request: IncomingMessage, body: string): Promise<Answer> {
    const url = new URL(request.url ?? '', origin)
    if (url.pathname.startsWith('/.well-known/'))
      return json(200, {
        issuer: origin,
        token_endpoint: `${origin}/token`,
        device_authorization_endpoint: `${origin}/device`,
      })
    const proof = await proofOf(request, url)
    if (typeof proof === 'string') return fault(`${request.method} ${url.pathname}: ${proof}`)
    script.provedAtMs = proof.iat * 1_000
    if (proof.nonce !== nonce) return url.pathname === '/token' ? tokenNeedsNonce : needsNonce
    if (url.pathname === '/token') {
      script.tokenRequests += 1
      const token = { access_token: `token-${script.tokenRequests}`, token_type: 'DPoP', expires_in: 300 }
      return script.tokens.shift() ?? json(200, token)
    }
    const around = aroundPayments[`${request.method} ${url.pathname}`]
    if (around) return json(200, around)
    const key = request.headers['idempotency-key']?.toString()
    if (key !== undefined) {
      const earlier = script.keys.get(key)
      if (earlier !== undefined && earlier !== body) return fault(`another body under the key of ${earlier}: ${body}`)
      script.keys.set(key, body)
    }
    const asked = `${request.method} ${url.pathname}${url.search}`
    const [keyed = ''] = script.keys.keys()
    script.requests.push(keyed ? asked.replace(encodeURIComponent(keyed), '{key}') : asked)
    return script.answers.shift() ?? fault(`nothing is expected any more: ${asked}`)
  }

  function fault(text: string): Answer {
    script.faults.push(text)
    return json(500, {})
  }

  function send(given: Answer, request: IncomingMessage, response: ServerResponse): void {
    // The client must find no connection at its next request, so the server goes away before it answers this one.
    if (script.answers[0] === 'unsent') server.close()
    if (given === 'lost' || given === 'unsent') return void request.socket.destroy()
    if (given === 'never') return undefined
    if (given === 'cut' || given === 'stuck') {
      response.writeHead(202, { 'content-type': 'application/json', 'content-length': '900', connection: 'close' })
      return void response.write('{"id":', () => given === 'cut' && request.socket.destroy())
    }
    const { status, text, headers } = given
    const bodiless = status === 204 || status === 304
    response.writeHead(status, { date: new Date().toUTCString(), ...headers, connection: 'close' })
    return void response.end(bodiless ? '' : (text ?? '').replaceAll('{origin}', origin))
  }

  return {
    origin,
    /** Forgets the case before, and begins one. */
    begin: () => (script = newScript()),
    /** Sets the answers of the next call. */
    expect: async (answers: readonly Answer[], tokens: readonly Answer[]) => {
      script.answers = [...answers]
      script.tokens = [...tokens]
      if (answers[0] !== 'unsent') return listen()
      server.close()
      await once(server, 'close')
      return undefined
    },
    /**
     * The answers that were not fetched. An answer that was never sent was fetched when no connection could be opened. The time of a call
     * that gets none can end before its request arrives.
     */
    left: () => script.answers.filter((one) => one !== 'unsent' && one !== 'never'),
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

export type FakeApi = Awaited<ReturnType<typeof startFakeApi>>

function newScript(): Script {
  return { answers: [], tokens: [], requests: [], keys: new Map(), tokenRequests: 0, provedAtMs: 0, faults: [] }
}

/** The reads by which the command line and the MCP server prepare a payment. */
const aroundPayments: Readonly<Record<string, object>> = {
  [`GET /v1/beneficiaries/${payeeId}`]: {
    id: payeeId,
    name: 'Rui Prado',
    state: 'active',
    masked_details: { IBAN: '0154' },
  },
  'GET /v1/authorization': {},
}

/** The claims of a valid proof for this request; otherwise what is wrong with it. */
async function proofOf(request: IncomingMessage, url: URL): Promise<{ iat: number; nonce?: string } | string> {
  try {
    const { payload } = await jwtVerify(String(request.headers['dpop']), EmbeddedJWK, {
      typ: 'dpop+jwt',
      // A case may have moved the client's clock.
      clockTolerance: Number.MAX_SAFE_INTEGER,
    })
    const { htm, htu, ath, iat = 0 } = payload
    if (htm !== request.method || htu !== `${url.origin}${url.pathname}`)
      return `a proof for ${String(htm)} ${String(htu)}`
    const token = request.headers.authorization?.replace(/^DPoP /, '')
    if (token !== undefined && ath !== createHash('sha256').update(token).digest('base64url')) return 'another token'
    if (token === undefined && url.pathname !== '/token') return 'no token'
    return { iat, ...(typeof payload['nonce'] === 'string' && { nonce: payload['nonce'] }) }
  } catch (error) {
    return `no valid proof: ${(error as Error).message}`
  }
}
