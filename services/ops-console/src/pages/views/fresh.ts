/** The line that says how fresh a page is. The page's script keeps it and the rest up to date; without one there is the link. */

import { type Html, html } from '@financial-agents/pages/html'
import { clockTime } from '@financial-agents/pages/times'

export function freshLine(now: Date): Html {
  return html`<p class="fresh" id="fresh"><span>As of <time datetime="${now.toISOString()}">${clockTime(now)} UTC</time></span> <a href="">Reload</a></p>`
}
