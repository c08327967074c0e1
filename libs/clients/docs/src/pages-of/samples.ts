/** Samples of a call in TypeScript, in Python, on the command line and with curl, made of the document's examples. */

import type { Route } from '@financial-agents/contract/route'
import { sampleId } from './sample-id.ts'

export type SampledCall = {
  row: Route
  /** The names of the path's parameters, in their order. */
  inPath: readonly string[]
  /** The query parameters that the route requires, each with a value. */
  query: Readonly<Record<string, unknown>>
  /** True if the route lists items in pages or at once. */
  lists: boolean
  /** The example of the body; undefined if the route takes none. */
  body: unknown
}

const intent = 'rent-2026-11'

const code = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\``

/** Returns the section of a route's page. */
export function samplesOf(call: SampledCall): string {
  const [typescript, python] = [typescriptSample(call), pythonSample(call)]
  const cli = cliSample(call)
  return [
    '## Samples',
    ...(typescript === undefined ? [] : ['With the client for TypeScript:', code('ts', typescript)]),
    ...(python === undefined ? [] : ['With the client for Python:', code('python', python)]),
    ...(cli === undefined ? [] : ['On the command line:', code('sh', cli)]),
    'With curl:',
    code('sh', curlSample(call)),
    ...(call.row.scope === null
      ? []
      : [
          '`$TOKEN` is an access token. `$PROOF` is a DPoP proof that is made for this one request (RFC 9449): the clients make one for each.',
        ]),
  ].join('\n\n')
}

/** The command line of the row, with the sample's values in its places; undefined if no command does the same. */
function cliSample({ row, inPath, body }: SampledCall): string | undefined {
  if (row.cli === null) return undefined
  const values: Record<string, unknown> = { ...(body as object | undefined) }
  for (const name of inPath) values[name] = sampleId
  const words = row.cli.split(' ').flatMap((word) => {
    const value = word.startsWith('{') ? values[word.slice(1, -1)] : word
    if (value === undefined) throw new Error(`the example of ${row.path} has no ${word}, which its command line names`)
    return typeof value === 'object'
      ? Object.entries(value as object).map((pair) => pair.join('='))
      : [JSON.stringify(value).replace(/^"|"$/g, '')]
  })
  return `financial-agents ${words.map(quoted).join(' ')}`
}

/** A word as a shell reads it. */
function quoted(word: string): string {
  return /^[\w./:=@-]+$/.test(word) ? word : `"${word}"`
}

function curlSample({ row, query, body }: SampledCall): string {
  const path = row.path.replaceAll(/\{\w+\}/g, sampleId)
  const search = new URLSearchParams(query as Record<string, string>).toString()
  const address = `"$API${path}${search && `?${search}`}"`
  const lines = [`curl -s${row.method === 'GET' ? '' : ` -X ${row.method}`} ${address}`]
  if (row.scope !== null) lines.push('-H "Authorization: DPoP $TOKEN"', '-H "DPoP: $PROOF"')
  if (row.keyed) lines.push(`-H 'Idempotency-Key: ${intent}-7f3a9c'`)
  if (row.confirmation?.needed === 'always') lines.push(`-H 'Confirmation-Intent-ID: ${sampleId}'`)
  if (row.browserSession) lines.push('-H "Cookie: $COOKIE"')
  if (body !== undefined)
    lines.push("-H 'Content-Type: application/json'", `-d '${JSON.stringify(body, null, 2).replaceAll("'", "'\\''")}'`)
  return lines.join(' \\\n  ')
}

/** The call of the client's method; undefined if it has none. */
function typescriptSample({ row, inPath, query, lists, body }: SampledCall): string | undefined {
  const method = row.client
  if (method === null) return undefined
  const given = inPath.map(() => `'${sampleId}'`)
  if (body !== undefined) given.push(inTypescript(body))
  if (Object.keys(query).length > 0) given.push(inTypescript(query))
  if (row.keyed) given.push(`{ intent: '${intent}' }`)
  const call = `agent.${method}(${given.join(', ')})`
  if (lists) return `for await (const item of ${call}) console.log(item)`
  if (row.status === 204) return `await ${call}`
  return row.keyed
    ? `const operation = await ${call}\nconst outcome = await operation.wait()`
    : `console.log(await ${call})`
}

/** The same call in Python: names in snake_case, query parameters and the intent by keyword. */
function pythonSample({ row, inPath, query, lists, body }: SampledCall): string | undefined {
  const method = row.client
  if (method === null) return undefined
  const given = inPath.map(() => `"${sampleId}"`)
  if (body !== undefined) given.push(inPython(body))
  for (const [key, value] of Object.entries(query)) given.push(`${key}=${inPython(value)}`)
  if (row.keyed) given.push(`intent="${intent}"`)
  const call = `agent.${method.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}(${given.join(', ')})`
  if (lists) return `for item in ${call}:\n    print(item)`
  if (row.status === 204) return call
  return row.keyed ? `operation = ${call}\noutcome = operation.wait()` : `print(${call})`
}

/** A value as TypeScript writes it: names without quotes. */
function inTypescript(value: unknown): string {
  return JSON.stringify(value, null, 2)
    .replaceAll(/^(\s*)"(\w+)":/gm, '$1$2:')
    .replaceAll(/"((?:[^"\\']|\\[^"])*)"/g, "'$1'")
}

function inPython(value: unknown, indent = ''): string {
  const inner = `${indent}    `
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (Array.isArray(value)) return `[${value.map((item) => inPython(item, indent)).join(', ')}]`
  if (typeof value !== 'object') return JSON.stringify(value)
  const members = Object.entries(value).map(([key, member]) => `${inner}"${key}": ${inPython(member, inner)},\n`)
  return `{\n${members.join('')}${indent}}`
}
