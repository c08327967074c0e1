/**
 * HTML as tagged templates. A template escapes every value except HTML that another template made.
 *
 * Invariant: this module offers no way around the escaping; it does not export the library's `html.raw`.
 */

import { html as template } from '@remix-run/html-template'

/** HTML that may stand in a page unescaped. Only `html` makes it. */
export type Html = ReturnType<typeof template>

/** A value for a template: text is escaped, lists are joined, null and undefined become nothing. */
export type HtmlValue = Html | string | number | null | undefined | HtmlValue[]

/** Makes HTML from a template: html`<p>${text}</p>`. Attribute values stand in double quotes. */
export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
  return template(strings, ...values)
}
