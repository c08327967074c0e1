/** HTML in which every value is escaped, but for what was made by the same tag. */

export type Html = { readonly html: string }

export function html(strings: TemplateStringsArray, ...values: readonly (string | Html | readonly Html[])[]): Html {
  return { html: String.raw({ raw: strings }, ...values.map(render)) }
}

function render(value: string | Html | readonly Html[]): string {
  if (typeof value === 'string') return value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
  return 'html' in value ? value.html : value.map((part) => part.html).join('')
}
