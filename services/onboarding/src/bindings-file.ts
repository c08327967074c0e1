/**
 * Reads the declared bindings: a YAML file and the credentials files that it names. Every message names the file, the
 * entry and the field, and never a value that could be a secret.
 */

import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { parseDocument } from 'yaml'
import { z } from 'zod'

export type RegisteredBinding = {
  owner_id: string
  provider: string
  display_name: string | null
  /** The provider's reference of a customer. A person who signs in as this customer is this owner. */
  customer_reference: string | null
  credentials: string
}

/** Its message is one line that can be printed as it is. */
export class BindingsFileError extends Error {
  override readonly name = 'BindingsFileError'
}

const maxCredentialsBytes = 8_192
const owner = 'send the owner as a UUID'
const provider = 'send the name of a provider: lower-case letters, digits and hyphens, such as fake'
const displayName = 'send a text of 1 to 200 characters, or leave it out'
const customerReference =
  "send the provider's reference of the customer, printable ASCII without spaces, or leave it out"
const credentialsFile = 'send the path of the file that holds the credentials, relative to this file'

const entry = z.strictObject(
  {
    owner_id: z.guid({ error: owner }).transform((value) => value.toLowerCase()),
    provider: z.string({ error: provider }).regex(/^[a-z][a-z0-9-]{0,62}$/, { error: provider }),
    display_name: z
      .string({ error: displayName })
      .min(1, { error: displayName })
      .max(200, { error: displayName })
      .optional(),
    customer_reference: z
      .string({ error: customerReference })
      .regex(/^[\x21-\x7e]{1,200}$/, { error: customerReference })
      .optional(),
    credentials_file: z.string({ error: credentialsFile }).min(1, { error: credentialsFile }),
  },
  { error: 'send owner_id, provider, credentials_file and, if you like, display_name and customer_reference' },
)

const bindingsFile = z.strictObject(
  // Required, so that an empty or wrong file does not disconnect everybody.
  { bindings: z.array(entry, { error: 'send a list of bindings; an empty list disconnects all owners' }) },
  { error: 'send one mapping with the key bindings' },
)

/** @throws BindingsFileError whose message says what to change */
export async function readBindingsFile(path: string): Promise<RegisteredBinding[]> {
  const parsed = bindingsFile.safeParse(parseYaml(path, await readText(path, path)), { reportInput: false })
  if (!parsed.success) throw new BindingsFileError(parsed.error.issues.flatMap((i) => describe(path, i)).join('; '))
  const { bindings } = parsed.data
  checkEachOnce(path, bindings)
  return Promise.all(
    bindings.map(async ({ credentials_file, display_name, customer_reference, ...rest }, index) => ({
      ...rest,
      display_name: display_name ?? null,
      customer_reference: customer_reference ?? null,
      credentials: await readCredentials(`${path}: bindings[${index}].credentials_file`, path, credentials_file),
    })),
  )
}

async function readText(path: string, label: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new BindingsFileError(`${label}: cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}

function parseYaml(path: string, text: string): unknown {
  const document = parseDocument(text)
  const [error] = document.errors
  // The parser's message is not used, because it quotes the line.
  if (error) throw new BindingsFileError(`${path}: line ${error.linePos?.[0].line ?? '?'} is not YAML (${error.code})`)
  return document.toJS()
}

function describe(path: string, issue: z.core.$ZodIssue): string[] {
  const at = issue.path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('')
  const where = at === '' ? path : `${path}: ${at.slice(1)}`
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => `${where}${at === '' ? ': ' : '.'}${key}: unknown field; remove it`)
  return [`${where}: ${issue.message}`]
}

type Named = { owner_id: string; provider: string; customer_reference?: string | undefined }

function checkEachOnce(path: string, bindings: readonly Named[]): void {
  const first = new Map<string, number>()
  const check = (index: number, member: string, value: string, what: string): void => {
    const other = first.get(value)
    if (other !== undefined)
      throw new BindingsFileError(`${path}: bindings[${index}].${member}: the ${what} of bindings[${other}] again`)
    first.set(value, index)
  }
  for (const [index, { owner_id, provider, customer_reference }] of bindings.entries()) {
    check(index, 'owner_id', owner_id, 'owner')
    if (customer_reference !== undefined)
      check(index, 'customer_reference', `${provider} ${customer_reference}`, 'customer')
  }
}

async function readCredentials(label: string, file: string, credentialsPath: string): Promise<string> {
  const text = await readText(resolve(dirname(file), credentialsPath), `${label}: ${credentialsPath}`)
  const credentials = text.replace(/\r?\n$/, '')
  if (credentials === '') throw new BindingsFileError(`${label}: ${credentialsPath} is empty`)
  if (Buffer.byteLength(credentials) > maxCredentialsBytes)
    throw new BindingsFileError(`${label}: ${credentialsPath} holds more than ${maxCredentialsBytes} bytes`)
  return credentials
}
