/**
 * The stylesheet of the hosted pages: construction-site yellow and a typewriter font, so that nobody mistakes them for
 * a real provider's. It contains no character that HTML escapes, because browsers check its digest.
 */

export const stylesheet = `
:root { color-scheme: light dark; --paper: #fffdf2; --ink: #1f1b10; --soft: #5b5337; --line: #8a7d4c; --card: #fff8d6; --accent: #7a3b00; --on-accent: #fff; --wrong: #9b1c1c }
@media (prefers-color-scheme: dark) { :root { --paper: #1d1a10; --ink: #fbf4d9; --soft: #d2c697; --line: #9c8e58; --card: #2a2515; --accent: #ffc46b; --on-accent: #201500; --wrong: #ffaea3 } }
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.55 ui-monospace, Cascadia Mono, Menlo, Consolas, monospace; overflow-wrap: anywhere }
header { background: #ffd83d; color: #1f1b10; border-bottom: .5rem solid; border-image: repeating-linear-gradient(45deg, #1f1b10 0 .75rem, #ffd83d .75rem 1.5rem) 1 }
header p { margin: 0 auto; padding: .75rem 1rem; max-width: 44rem }
main { margin: 0 auto; padding: 1.5rem 1rem 3rem; max-width: 44rem }
h1 { font-size: 1.5rem; line-height: 1.25; margin: .5rem 0 1rem; overflow-wrap: anywhere }
fieldset { border: 0; margin: 1.5rem 0; padding: 0; min-width: 0 }
legend { font-weight: 700; padding: 0; margin-bottom: .75rem }
.test-user { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0 .9rem; align-items: start; border: 2px dashed var(--line); background: var(--card); padding: .9rem 1rem; margin-bottom: .75rem; cursor: pointer }
.test-user:has(:checked) { border-style: solid; border-color: var(--accent) }
.test-user input { margin: 0; width: 1.5rem; height: 1.5rem; accent-color: var(--accent) }
.name { font-weight: 700 }
.about { display: block; color: var(--soft) }
.actions { display: flex; flex-wrap: wrap; gap: .75rem }
button { font: inherit; font-weight: 700; padding: .7rem 1.4rem; min-height: 2.75rem; border: 2px solid var(--accent); border-radius: 0; background: var(--accent); color: var(--on-accent); cursor: pointer; display: inline-block }
button.second { background: transparent; color: var(--accent) }
dl { border: 2px dashed var(--line); background: var(--card); margin: 1.5rem 0; padding: .4rem 1rem }
dl div { display: flex; flex-wrap: wrap; gap: 0 1rem; justify-content: space-between; padding: .4rem 0 }
dt { color: var(--soft) }
dd { margin: 0; font-weight: 700; overflow-wrap: anywhere }
.wrong { border-left: .4rem solid var(--wrong); padding-left: .8rem; color: var(--wrong); font-weight: 700 }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px }
.test-user:focus-within { outline: 3px solid var(--accent); outline-offset: 2px }
.test-user input:focus-visible { outline: none }
`
