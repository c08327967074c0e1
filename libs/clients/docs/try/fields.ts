/** The inputs of one operation: parameters, the body of the contract's example, the owner's confirmation, and the idempotency key. */

import { make, makeField } from './elements.ts'
import { type KeptWrite, keptWrite, newWrite } from './kept.ts'
import type { TryOperation, TryParameter } from './operation.ts'

/** The inputs of one operation. */
export type Fields = {
  element: HTMLElement
  read(): { given: Map<string, string>; body: string | undefined; headers: Record<string, string> }
  /** The write with its key. Only keyed operations have one. */
  write(): KeptWrite
}

/** Creates the inputs. A write that was sent before shows what was sent. */
export function createFields(operation: TryOperation): Fields {
  const { name, parameters, isKeyed, isConfirmed } = operation
  let write: KeptWrite | undefined = isKeyed ? keptWrite(name) : undefined
  const before = new Map(write?.sent?.given)
  const inputs = parameters.map((parameter) => [parameter, inputOf(parameter, before.get(parameter.name))] as const)
  const shown = ([{ name: label, description }, input]: (typeof inputs)[number]) => makeField(label, input, description)
  const needed = inputs.filter(([{ required }]) => required).map(shown)
  const others = inputs.filter(([{ required }]) => !required).map(shown)
  const text = write?.sent?.body ?? operation.body
  const body = text === undefined ? undefined : make('textarea', { spellcheck: 'false', rows: rowsOf(text) }, text)
  const confirmation = make('input', { autocomplete: 'off' })
  const key = make('output', {}, write?.key ?? '')
  const renew = () => {
    write = newWrite(name)
    key.replaceChildren(write.key)
  }
  const element = make(
    'div',
    { class: 'fields' },
    ...needed,
    ...(others.length === 0 ? [] : [make('details', {}, make('summary', {}, 'More parameters'), ...others)]),
    ...(body ? [makeField('Body', body)] : []),
    ...(isConfirmed
      ? [
          makeField(
            'Confirmation-Intent-ID',
            confirmation,
            'The id of a confirmation that the owner has given, where one is needed.',
          ),
        ]
      : []),
    ...(isKeyed ? [keyField(key, renew)] : []),
  )
  return {
    element,
    read: () => ({
      given: new Map(inputs.map(([parameter, input]) => [parameter.name, input.value.trim()])),
      body: body?.value,
      headers: confirmation.value.trim() === '' ? {} : { 'Confirmation-Intent-ID': confirmation.value.trim() },
    }),
    write: () => write ?? keptWrite(name),
  }
}

function inputOf({ values, required }: TryParameter, value = ''): HTMLInputElement | HTMLSelectElement {
  if (values.length === 0) return make('input', { value, required, autocomplete: 'off' })
  const choices = required ? values : ['', ...values]
  const select = make('select', {}, ...choices.map((choice) => make('option', {}, choice)))
  if (value !== '') select.value = value
  return select
}

function keyField(key: HTMLElement, renew: () => void): HTMLElement {
  return make(
    'div',
    { class: 'key' },
    make('span', {}, 'Idempotency-Key'),
    make('small', {}, 'Sent again with the same key, the request is the same write. A new key is a new write.'),
    key,
    make('button', { type: 'button', click: renew }, 'New key'),
  )
}

function rowsOf(text: string): string {
  return String(Math.min(24, text.split('\n').length + 1))
}
