/**
 * A list whose filters in the address cannot be understood: names the wrong filters, and shows the form to enter them
 * again.
 */

import { type Html, html } from '@financial-agents/pages/html'
import type { Page } from '@financial-agents/pages/page'
import { notice } from '@financial-agents/pages/parts'
import texts from '../../../messages/en.json' with { type: 'json' }
import { type Way, ways } from './ways.ts'

export type WrongFilter = {
  title: string
  way: Way
  fields: readonly { path: string; message: string }[]
  form: Html
}

export function wrongFilterView({ title, way, fields, form }: WrongFilter): Page {
  return {
    title,
    wide: 'full',
    navigation: ways(way),
    refused: true,
    notice: notice(
      'bad',
      html`<strong>${texts.wrongFilter.notUnderstood}</strong> ${fields.map(({ path, message }) => html`<br><code>${path}</code>: ${message}`)}`,
    ),
    main: form,
  }
}
