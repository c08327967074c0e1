/** The question before an access ends that nobody can give again: the one of a service account. */

import { foreignName } from '@financial-agents/pages/foreign-name'
import { html } from '@financial-agents/pages/html'
import { pagePaths, pathTo } from '@financial-agents/pages/page-paths'
import { form } from '@financial-agents/pages/parts'
import type { Reader } from '@financial-agents/pages/reader'
import { type Face, hasPictures, kindOf, party } from './client.ts'
import { hiddenElement } from './grant.ts'
import type { GrantOfOwner } from './grant-of-owner.ts'
import { headerEnd } from './header.ts'
import type { View } from './view.ts'

/** The field that says that the owner was asked. */
export const sureField = 'sure'

export type EndForGoodPage = {
  grant: GrantOfOwner
  face: Face
  hidden: Readonly<Record<string, string>>
  reader: Reader
}

export function endForGoodView({ grant, face, hidden, reader }: EndForGoodPage): View {
  const { grant_id, client_name, profile, label } = grant
  const say = reader.say('end')
  const end = reader.say('grant').rich('end', { client: foreignName(client_name) }, hiddenElement)
  return {
    rights: { forms: true, pictures: hasPictures([face]) },
    page: {
      reader,
      title: say('title'),
      lead: say('lead'),
      headerEnd: headerEnd(hidden, reader),
      main: html`<div class="card">${party(client_name, kindOf(profile, reader), { label, logo: face.logo })}</div>
<div class="actions">${form({
        action: pathTo(pagePaths.accountRevoke, { grantId: grant_id }),
        hidden: { ...hidden, [sureField]: 'yes' },
        body: html`<button type="submit" class="danger">${end}</button>`,
      })}
<a class="button secondary" href="${pathTo(pagePaths.accountApplication, { grantId: grant_id })}">${say('keep')}</a></div>`,
    },
  }
}
