/** The second part of the page: an operation, its parameters and its body, and what to do with the answer. */

import { type Agent, ClientError } from '@financial-agents/client'
import { make, makeField } from './elements.ts'
import { createFields, type Fields } from './fields.ts'
import { keepSent, readSession, writeSession } from './kept.ts'
import { type TryData, type TryOperation, targetOf } from './operation.ts'

type Parts = {
  data: TryData
  agent: Agent
  /** Sends a request that needs no credentials. */
  fetch: (url: string, init: RequestInit) => Promise<Response>
  /** Removes the requests that are shown. */
  clear: () => void
}

export function createRequestForm(parts: Parts): { element: HTMLElement; showOwner: (url: string) => void } {
  const { data } = parts
  const byName = new Map(data.operations.map((operation) => [operation.name, operation]))
  const select = make('select', { name: 'operation' }, ...groups(data.operations))
  const place = make('div')
  const says = make('p', { role: 'status', class: 'outcome' })
  const next = make('div', { class: 'controls' })
  let fields: Fields | undefined

  const choose = () => {
    const operation = byName.get(select.value)
    if (operation === undefined) return
    writeSession('operation', operation.name)
    fields = createFields(operation)
    place.replaceChildren(
      make('p', {}, `${operation.summary}. `, make('a', { href: operation.page }, 'Its page in the reference')),
      fields.element,
    )
    says.replaceChildren()
    next.replaceChildren()
  }
  const send = async (operation: TryOperation, chosen: Fields) => {
    parts.clear()
    next.replaceChildren()
    says.replaceChildren('Sending')
    const response = await sendOnce(parts, operation, chosen)
    const body: unknown = await response.json().catch(() => undefined)
    says.replaceChildren(`Answered: ${response.status}${codeOf(body)}`)
    const id = operationId(body)
    if (id !== undefined) next.replaceChildren(waitButton(parts.agent, id, says))
  }
  const form = make(
    'form',
    {
      submit: (event) => {
        event.preventDefault()
        const operation = byName.get(select.value)
        if (operation === undefined || fields === undefined) return
        send(operation, fields).catch((error: unknown) => says.replaceChildren(wordsOf(error)))
      },
    },
    makeField('Operation', select),
    place,
    make('button', { type: 'submit', class: 'main' }, 'Send'),
  )
  select.addEventListener('change', () => {
    // Removes the operation from the address. Otherwise a reload would choose that operation again.
    history.replaceState(null, '', location.pathname)
    choose()
  })
  const asked = new URLSearchParams(location.search).get('operation') ?? readSession('operation')
  select.value = byName.has(String(asked)) ? String(asked) : (data.operations[0]?.name ?? '')
  choose()
  return {
    element: make('section', { 'aria-label': 'Request' }, make('h2', {}, '2. Send a request'), form, says, next),
    showOwner: (url) => {
      if (/^https?:/.test(url))
        next.append(
          make('p', {}, 'The owner has to act: ', make('a', { href: url, target: '_blank', rel: 'noreferrer' }, url)),
        )
    },
  }
}

function groups(operations: readonly TryOperation[]): HTMLElement[] {
  const areas = [...new Set(operations.map(({ area }) => area))]
  return areas.map((area) =>
    make(
      'optgroup',
      { label: area },
      ...operations
        .filter((operation) => operation.area === area)
        .map(({ name, method, path }) => make('option', { value: name }, `${method} ${path}`)),
    ),
  )
}

/** Sends the request once. The key and the content of a keyed write are stored before they are sent. */
async function sendOnce({ agent, fetch }: Parts, operation: TryOperation, fields: Fields): Promise<Response> {
  const { given, body, headers } = fields.read()
  const { method, isKeyed, isProtected } = operation
  const sent: Record<string, string> = { ...headers }
  if (isKeyed) {
    const { key } = fields.write()
    keepSent(operation.name, { key, sent: { given: [...given], body } })
    sent['Idempotency-Key'] = key
  }
  const path = targetOf(operation, given)
  if (!isProtected) return fetch(path, { method })
  return agent.fetch(path, { method, headers: sent, ...(body === undefined ? {} : { body }) })
}

function waitButton(agent: Agent, id: string, says: HTMLElement): HTMLElement {
  const wait = async () => {
    says.replaceChildren('Waiting for the outcome')
    const { status } = await agent.wait(id, { timeoutMs: 60_000 })
    says.replaceChildren(`Outcome: ${status}`)
  }
  const fail = (error: unknown) => says.replaceChildren(wordsOf(error))
  return make('button', { type: 'button', click: () => void wait().catch(fail) }, 'Wait for the outcome')
}

function codeOf(body: unknown): string {
  const { code } = (body ?? {}) as { code?: unknown }
  return typeof code === 'string' ? ` ${code}` : ''
}

/** The id of the operation that the answer contains; undefined if it contains none. */
function operationId(body: unknown): string | undefined {
  const { id, kind, state } = (body ?? {}) as Record<string, unknown>
  return typeof id === 'string' && typeof kind === 'string' && typeof state === 'string' ? id : undefined
}

function wordsOf(error: unknown): string {
  if (error instanceof ClientError) return error.message
  return 'No answer came. The API may have had the request: send it again as it is, with the same key.'
}
