/**
 * Parses the file of registrations: YAML with one list, `clients`. It reports all errors at once, each with file,
 * client and field, and repeats no value.
 */

import { parseDocument } from 'yaml'
import type { z } from 'zod'
import { type Registration, registration } from './registration.ts'

/** Its message has one line for each error. */
export class RegistrationFileError extends Error {
  override readonly name = 'RegistrationFileError'
}

/**
 * @param schema `localRegistration` in the environment `local`
 * @throws RegistrationFileError
 */
export function parseRegistrations(file: string, text: string, schema = registration): Registration[] {
  const clients = readClients(file, text)
  const wrong: string[] = []
  const registrations: Registration[] = []
  const seen = new Set<string>()
  for (const [index, client] of clients.entries()) {
    const name = clientName(client, index)
    const parsed = schema.safeParse(client)
    if (parsed.success) registrations.push(parsed.data)
    else wrong.push(...parsed.error.issues.flatMap(describe).map((line) => `${file}: ${name}: ${line}`))
    if (seen.has(name)) wrong.push(`${file}: ${name}: client_id: is registered twice`)
    seen.add(name)
  }
  if (wrong.length > 0) throw new RegistrationFileError(wrong.join('\n'))
  return registrations
}

function readClients(file: string, text: string): unknown[] {
  const document = parseDocument(text, { uniqueKeys: true, prettyErrors: false })
  const [error] = document.errors
  if (error) {
    const line = text.slice(0, error.pos[0]).split('\n').length
    throw new RegistrationFileError(`${file}: line ${line}: is not YAML (${error.code.toLowerCase()})`)
  }
  const content = document.toJS({ maxAliasCount: 100 }) as unknown
  const members = typeof content === 'object' && content !== null ? Object.keys(content) : []
  if (members.length !== 1 || members[0] !== 'clients')
    throw new RegistrationFileError(`${file}: must have the one member clients`)
  const { clients } = content as { clients: unknown }
  if (!Array.isArray(clients)) throw new RegistrationFileError(`${file}: clients: must be a list`)
  return clients
}

function clientName(client: unknown, index: number): string {
  const id = typeof client === 'object' && client !== null && 'client_id' in client ? client.client_id : undefined
  return typeof id === 'string' ? `client ${JSON.stringify(id)}` : `client number ${index + 1}`
}

function describe(issue: z.core.$ZodIssue): string[] {
  const path = issue.path.map(String)
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => `${[...path, key].join('.')}: is not a member of a client of this profile`)
  return [`${path.join('.') || 'registration'}: ${issue.message}`]
}
