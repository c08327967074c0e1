/** The line that tells the age of a page. The page's script updates it; without a script, the link reloads the page. */

import { type Html, html } from '@financial-agents/pages/html'
import { clockTime } from '@financial-agents/pages/times'

export function freshLine(now: Date): Html {
  return html`<p class="fresh" id="fresh"><span>As of <time datetime="${now.toISOString()}">${clockTime(now)} UTC</time></span> <a href="">Reload</a></p>`
}
