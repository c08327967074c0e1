/**
 * HTML as tagged templates. Everything put into one is escaped, except what came out of one.
 *
 * Invariant: there is no way around the escaping here; `html.raw` of the library is not passed on.
 */

import { html as template } from '@remix-run/html-template'

/** HTML that may stand in a page as it is. Only `html` makes it. */
export type Html = ReturnType<typeof template>

/** What may be put into a template: text is escaped, lists are joined, null and undefined are nothing. */
export type HtmlValue = Html | string | number | null | undefined | HtmlValue[]

/** Makes HTML from a template: html`<p>${text}</p>`. Attribute values stand in double quotes. */
export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
  return template(strings, ...values)
}
