/** The sign-in page, on which the visitor chooses an invented person. */

import { type Html, html } from '@financial-agents/pages/html'
import { page } from './hosted-page.ts'
import { type TestUser, testUsers } from './test-users.ts'

export function choicePage(returnUrl: string, { nothingChosen }: { nothingChosen?: boolean } = {}): string {
  const { host } = new URL(returnUrl)
  const wrong = nothingChosen ? html`<p class="wrong" role="alert">Choose a person before you approve.</p>` : ''
  return page(
    nothingChosen ? 'Error: who are you today?' : 'Who are you today?',
    html`<h1>${host} asks to connect an account</h1>
<p>Choose which of these invented people you are. If you approve, ${host} may read that person's accounts here and send instructions to them.</p>
${wrong}
<form method="post">
${testUserChoice()}
<div class="actions">
<button name="decision" value="approve">Approve</button>
<button class="second" name="decision" value="decline" formnovalidate>Decline</button>
</div>
</form>`,
  )
}

/** The form field `test_user`. */
export function testUserChoice(): Html {
  return html`<fieldset><legend>Who are you today?</legend>
${testUsers.map(choice)}
</fieldset>`
}

function choice({ id, name, locale, country, countryName, currency, about }: TestUser): Html {
  return html`<label class="test-user"><input type="radio" name="test_user" value="${id}" required>
<span><span class="name" lang="${locale}">${name}</span> <span>${countryName} (${country}), ${currency}</span>
<span class="about">${about}</span></span></label>
`
}
