/**
 * Shows one request with its answer. The proof is marked and its parts are shown. Only the beginning of a token is
 * shown.
 */

import { make, makeCode } from './elements.ts'
import { type Exchange, readProof } from './exchange.ts'

/** Usual spellings of headers, which browsers report in lower case. */
const spellings: Readonly<Record<string, string>> = { dpop: 'DPoP', 'dpop-nonce': 'DPoP-Nonce' }
const shownOfAnswer = [
  'content-type',
  'idempotent-replayed',
  'dpop-nonce',
  'retry-after',
  'www-authenticate',
  'x-request-id',
]
const shownOfToken = 12

/** The summary is the request line and the status. */
export function showExchange(exchange: Exchange, open: boolean): HTMLElement {
  const { method, url, answer } = exchange
  const said = answer === undefined ? 'no answer' : String(answer.status)
  return make(
    'details',
    { open },
    make('summary', {}, make('code', {}, `${method} ${url.pathname}${url.search}`), ` → ${said}`),
    make('h4', {}, 'Request'),
    showRequest(exchange),
    ...showProof(exchange),
    make('h4', {}, 'Answer'),
    showAnswer(exchange),
  )
}

function showRequest({ method, url, headers, body }: Exchange): HTMLElement {
  const lines = headers.flatMap(([name, value]) => [`${spelled(name)}: `, shownHeader(name, value), '\n'])
  const text = body === undefined ? [] : [`\n${pretty(body)}`]
  return makeCode('Request', `${method} ${url.pathname}${url.search}\nHost: ${url.host}\n`, ...lines, ...text)
}

function shownHeader(name: string, value: string): Node | string {
  if (name === 'dpop') return make('mark', {}, value)
  if (name !== 'authorization') return value
  const [scheme = '', token = ''] = value.split(' ')
  return `${scheme} ${token.slice(0, shownOfToken)}… (the other ${token.length - shownOfToken} characters are not shown)`
}

function showProof({ headers }: Exchange): Node[] {
  const proof = readProof(headers.find(([name]) => name === 'dpop')?.[1])
  if (proof === undefined) return []
  return [
    make('p', {}, 'The marked text is the proof: a JWT for this one request, signed by the key of this browser.'),
    makeCode('Proof', `${JSON.stringify(proof.header, null, 2)}\n${JSON.stringify(proof.payload, null, 2)}`),
  ]
}

function showAnswer({ answer }: Exchange): HTMLElement {
  if (answer === undefined)
    return make('p', {}, 'No answer came. The API may have had the request: send it again as it is, with the same key.')
  const lines = shownOfAnswer.flatMap((name) => {
    const value = answer.headers.get(name)
    return value === null ? [] : [`${spelled(name)}: ${value}\n`]
  })
  return makeCode('Answer', `HTTP ${answer.status}\n${lines.join('')}\n${pretty(answer.text)}`)
}

function spelled(name: string): string {
  return (
    spellings[name] ??
    name.replaceAll(/(^|-)([a-z])/g, (_, before: string, letter: string) => before + letter.toUpperCase())
  )
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
