/**
 * The stylesheet of the pages: grey paper and a slate band, so that nobody mistakes them for an organisation's real
 * sign-in. It contains no character that HTML escapes, because browsers check its digest.
 */

export const stylesheet = `
:root { color-scheme: light dark; --paper: #f4f4f1; --ink: #20242a; --soft: #545b64; --line: #767d86; --card: #fff; --accent: #24506e }
@media (prefers-color-scheme: dark) { :root { --paper: #181b1f; --ink: #eceef0; --soft: #b4bbc3; --line: #7d858f; --card: #23282e; --accent: #8fc4e8 } }
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.55 ui-monospace, Cascadia Mono, Menlo, Consolas, monospace }
header { background: #3b4754; color: #fff; border-bottom: .5rem dashed #e4b23c }
header p { margin: 0 auto; padding: .75rem 1rem; max-width: 40rem }
main { margin: 0 auto; padding: 1.5rem 1rem 3rem; max-width: 40rem }
h1 { font-size: 1.5rem; line-height: 1.25; margin: .5rem 0 1rem; overflow-wrap: anywhere }
ul { list-style: none; margin: 1.5rem 0; padding: 0 }
li { margin-bottom: .75rem }
button { font: inherit; color: inherit; text-align: left; background: var(--card); border: 2px solid var(--line); padding: .9rem 1rem; min-height: 2.75rem; cursor: pointer }
li button { display: block; width: 100% }
button:hover { border-color: var(--accent) }
button strong, button span { display: block }
button span { color: var(--soft) }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px }
`
