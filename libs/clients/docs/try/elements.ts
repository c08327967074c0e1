/** Elements of the page. Text is set as text: nothing that came from an answer is read as HTML. */

type Child = Node | string
type Attributes = Readonly<Record<string, string | boolean | EventListener>>

/** A function is a listener, and `true` an attribute without a value. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(key, value)
    else if (value !== false) element.setAttribute(key, value === true ? '' : value)
  }
  element.append(...children)
  return element
}

/** Code that a reader may scroll, also by the keyboard. */
export function makeCode(label: string, ...children: readonly Child[]): HTMLElement {
  return make('pre', { tabindex: '0', role: 'region', 'aria-label': label }, make('code', {}, ...children))
}

let fields = 0

/** An input with its label, and a hint that describes it. */
export function makeField(label: string, input: HTMLElement, hint = ''): HTMLElement {
  fields += 1
  input.id = `try-${fields}`
  const name = make('label', { for: input.id }, label)
  if (hint === '') return make('div', { class: 'field' }, name, input)
  input.setAttribute('aria-describedby', `${input.id}-hint`)
  return make('div', { class: 'field' }, name, make('small', { id: `${input.id}-hint` }, hint), input)
}
