/**
 * The one stylesheet: system fonts, one accent, two colour schemes. Every text has a contrast of at least 4.5:1, and every edge
 * of a control 3:1. In any font, every target is 44 px high, and a link 24 px. The stylesheet loads nothing.
 *
 * Invariant: the stylesheet is a constant, because the content security policy allows it by its hash. An installation's own
 * accent is appended to it once (`branding.ts`).
 */

import { listStyles } from './list-styles.ts'

const base = `
:root{color-scheme:light dark;
--ground:#f5f6f4;--surface:#fff;--ink:#17211d;--soft:#4d5a54;--line:#d7ddd9;--edge:#737f79;
--accent:#0a5c48;--accent-strong:#074535;--on-accent:#fff;--accent-wash:#e8f2ee;
--bad:#9c2412;--bad-wash:#fbeeeb;--warning:#734700;--warning-wash:#fdf4e1;--good:#0a5c48;--good-wash:#e8f2ee;
--radius:10px}
@media (prefers-color-scheme:dark){:root{
--ground:#101614;--surface:#182020;--ink:#e9efec;--soft:#a9b6b0;--line:#2e3a37;--edge:#7f8d87;
--accent:#7bd3b6;--accent-strong:#a3e4cf;--on-accent:#06231a;--accent-wash:#16302a;
--bad:#ffab9a;--bad-wash:#391c17;--warning:#f1c56d;--warning-wash:#33280f;--good:#7bd3b6;--good-wash:#16302a}}
.narrow{--width:40rem}
.wide{--width:60rem}
.full{--width:76rem}
*,*::before,*::after{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;min-height:100vh;min-height:100dvh;display:flex;flex-direction:column;background:var(--ground);color:var(--ink);
font:1rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;overflow-wrap:break-word}
h1,h2,h3,p,dl,dd,ul,table,fieldset,legend{margin:0;padding:0}
h1{font-size:clamp(1.5rem,1.2rem + 1.4vw,2rem);line-height:1.2;letter-spacing:-.015em;font-weight:650;text-wrap:balance}
h2{font-size:1.1875rem;line-height:1.3;font-weight:650;margin-top:2.5rem}
h3{font-size:1.0625rem;line-height:1.35;font-weight:650}
a{color:var(--accent);text-underline-offset:.18em;display:inline-block;max-width:100%;min-width:24px;line-height:max(24px,1.55em)}
a:hover{color:var(--accent-strong);text-decoration-thickness:2px}
:focus-visible{outline:3px solid var(--accent);outline-offset:3px;border-radius:4px}
code,.code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.9375em}
.bar{max-width:var(--width);margin:0 auto;padding:0 20px;display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;align-items:center;justify-content:space-between;width:100%}
.top{background:var(--surface);border-bottom:1px solid var(--line)}
.top .bar{min-height:4rem}
.brand{display:inline-flex;align-items:center;gap:.6rem;font-weight:650;letter-spacing:-.01em}
.mark{color:var(--accent);flex:none}
.mark .tick{stroke:var(--surface)}
.logo{height:2rem;width:auto;max-width:8rem;object-fit:contain;flex:none}
.brand{max-width:100%;min-width:0}
.brand>bdi{min-width:0;overflow-wrap:anywhere}
.who{display:flex;flex-wrap:wrap;align-items:center;gap:.25rem 1rem;color:var(--soft);font-size:.9375rem}
.environment{background:var(--warning-wash);color:var(--warning);text-align:center;padding:.4rem 1.25rem;font-size:.875rem}
.skip{position:absolute;inset-inline-start:-999rem;top:.5rem;background:var(--surface);padding:.75rem 1rem;z-index:1}
.skip:focus{inset-inline-start:.5rem}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
main{width:100%;max-width:var(--width);margin:0 auto;padding:2.5rem 20px 4rem;flex:1}
.lead{font-size:1.0625rem;color:var(--soft);margin-top:.75rem;text-wrap:pretty}
.lead strong{color:var(--ink)}
main>*+*{margin-top:1.25rem}
main>h1,main>.lead{margin-top:0}
main>.lead{margin-top:.75rem}
main h2{margin-top:2.75rem}
main h2+*{margin-top:.75rem}
.head h2,.head h2+*{margin-top:0}
form>input[type=hidden]+*{margin-top:0}
form>input[type=hidden]+h2{margin-top:2.75rem}
.summary{white-space:pre-line;font-size:1.0625rem}
.soft{color:var(--soft)}
.small{font-size:.9375rem}
.card{background:var(--surface);border:1px solid var(--line);border-radius:var(--radius);padding:20px}
.card>*+*,form>*+*{margin-top:1rem}
.card>.hidden+*{margin-top:0}
.card .head{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:baseline;justify-content:space-between}
.stack>*+*{margin-top:1rem}
.facts>div{display:flex;flex-wrap:wrap;gap:.15rem 1.25rem;padding:.7rem 0;border-top:1px solid var(--line)}
.facts>div:first-child{border-top:0;padding-top:0}
.facts>div:last-child{padding-bottom:0}
.facts dt{flex:1 1 11rem;min-width:0;color:var(--soft)}
.facts dd{flex:999 1 0;min-width:60%;overflow-wrap:anywhere;font-variant-numeric:tabular-nums}
ul{padding-inline-start:1.25rem}
pre{white-space:pre-wrap;overflow-wrap:anywhere;padding:1rem 1.25rem;background:var(--surface);border:1px solid var(--line);border-radius:var(--radius);font-size:.9375rem;line-height:1.5}
.routes{list-style:none;padding:0}
.routes li{padding:.6rem 0;border-top:1px solid var(--line)}
.routes li:first-child{border-top:0}
.routes a{overflow-wrap:anywhere}
.powers{list-style:none;padding:0}
.powers li{display:grid;grid-template-columns:1.25rem minmax(0,1fr);gap:0 .75rem;padding:.8rem 0;border-top:1px solid var(--line)}
.powers li:first-child{border-top:0;padding-top:0}
.powers li:last-child{padding-bottom:0}
.powers .shape{display:block;margin-top:.28rem}
.mark-of.good{color:var(--good)}.mark-of.warning{color:var(--warning)}.mark-of.bad,.mark-of.neutral{color:var(--soft)}
.powers strong{font-weight:600}
.powers p{color:var(--soft);font-size:.9375rem}
.shape{flex:none;width:1rem;height:1rem;fill:none;stroke:currentColor;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
.status{display:inline-flex;align-items:center;gap:.4rem;font-size:.9375rem;font-weight:600;white-space:nowrap;vertical-align:bottom}
.status.good{color:var(--good)}.status.bad{color:var(--bad)}.status.warning{color:var(--warning)}.status.neutral{color:var(--soft)}
.notice{display:grid;grid-template-columns:auto minmax(0,1fr);gap:.75rem;padding:1rem 1.25rem;border:1px solid;border-radius:var(--radius)}
.notice .shape{margin-top:.25rem}
.notice>div{color:var(--ink);min-width:0}
.notice.good{color:var(--good);background:var(--good-wash)}
.notice.neutral{color:var(--soft);background:var(--surface)}
.notice.warning{color:var(--warning);background:var(--warning-wash)}
.notice.bad{color:var(--bad);background:var(--bad-wash)}
main>.notice+h1{margin-top:1.75rem}
button,.button{font:inherit;font-weight:600;line-height:1.25;min-height:2.875rem;padding:.65rem 1.35rem;border-radius:8px;border:1px solid transparent;cursor:pointer;
display:inline-flex;align-items:center;justify-content:center;text-align:center;text-decoration:none}
.primary{background:var(--accent);color:var(--on-accent)}
.primary:hover{background:var(--accent-strong);color:var(--on-accent)}
.secondary{background:transparent;color:var(--ink);border-color:var(--edge)}
.secondary:hover{background:var(--accent-wash);color:var(--ink)}
.danger{background:transparent;color:var(--bad);border-color:var(--bad)}
.danger:hover{background:var(--bad-wash)}
.quiet{background:transparent;color:var(--accent);padding:.65rem .25rem;text-decoration:underline;text-underline-offset:.18em;font-weight:500}
.actions{display:flex;flex-wrap:wrap;gap:.75rem;margin-top:1.75rem}
.field>*+*{margin-top:.35rem}
.field label{font-weight:600;display:block}
.field+.field{margin-top:1.25rem}
.hint{color:var(--soft);font-size:.9375rem}
.error{color:var(--bad);font-weight:600;display:flex;gap:.4rem;font-size:.9375rem}
.error .shape{margin-top:.22rem}
.input{display:flex;align-items:center;gap:.6rem;max-width:18rem}
input[type=text]{font:inherit;font-variant-numeric:tabular-nums;width:100%;min-width:0;min-height:2.875rem;padding:.5rem .8rem;border:1px solid var(--edge);border-radius:8px;background:var(--surface);color:var(--ink)}
.wrong input[type=text]{border:2px solid var(--bad)}
input.code-entry{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:1.375rem;letter-spacing:.12em;text-transform:uppercase}
.code-shown{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:1.75rem;letter-spacing:.12em;font-weight:600}
.tick{display:grid;grid-template-columns:auto minmax(0,1fr);gap:0 .85rem;padding:.5rem 0}
.tick input{width:1.5rem;height:1.5rem;margin:.6rem 0;accent-color:var(--accent)}
.tick label{display:block;min-height:2.75rem;padding:.6rem 0;font-weight:600}
.tick .below{color:var(--soft);font-size:.9375rem;padding-bottom:.4rem}
.tick+.tick{border-top:1px solid var(--line)}
.name{overflow-wrap:anywhere}
fieldset{border:0;min-width:0}
.tick-field{display:grid;grid-template-columns:auto minmax(0,1fr);gap:.5rem .75rem;align-items:start}
.tick-field>*+*{margin-top:0}
.tick-field input{width:1.5rem;height:1.5rem;margin:0;accent-color:var(--accent)}
.tick-field label{overflow-wrap:anywhere}
.tick-field>div{grid-column:2;min-width:0}
legend{font-weight:650;font-size:1.0625rem}
.party{display:flex;gap:1rem;align-items:center}
.initial{width:min(3rem,56px);height:min(3rem,56px);border-radius:var(--radius);flex:none;border:1px solid var(--line)}
.initial{display:grid;place-items:center;background:var(--accent-wash);color:var(--accent);font-weight:650;font-size:1.25rem;position:relative;overflow:hidden}
.initial:has(img){background:#fff}
.initial img{position:absolute;inset:0;min-width:100%;min-height:100%;max-width:100%;max-height:100%;object-fit:contain}
.publisher{display:flex;flex-wrap:wrap;gap:.1rem .75rem;align-items:center}
.publisher,.publisher>*,.publisher .status>span{min-width:0;overflow-wrap:anywhere}
.publisher .status{white-space:normal;align-items:flex-start}
.publisher .shape{margin-top:.22rem}
.party div{min-width:0}
.party .soft{font-weight:400;font-size:1rem}
h1,h2,h3,legend,summary,.summary,.lead,.head>*{overflow-wrap:anywhere;min-width:0}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{text-align:start;vertical-align:top;padding-block:.75rem;padding-inline:0 1rem;border-top:1px solid var(--line)}
thead th{border-top:0;color:var(--soft);font-weight:500;font-size:.9375rem;padding-top:0}
tbody th{font-weight:600}
details summary{cursor:pointer;min-height:2.75rem;display:flex;align-items:center;gap:.5rem;color:var(--accent);text-decoration:underline;text-underline-offset:.18em}
.languages ul{list-style:none;padding:0;display:flex;flex-wrap:wrap;gap:0 1rem}
.languages li>*{display:inline-flex;align-items:center;min-height:2.75rem}
.languages [aria-current]{font-weight:600}
input[inputmode=decimal],.code-entry,.code-shown,code,.id{direction:ltr;text-align:start}
[dir=rtl] :is(input[inputmode=decimal],.code-shown){text-align:end}
.links ul{list-style:none;padding:0;display:flex;flex-wrap:wrap;gap:0 1.25rem}
.links a{display:inline-flex;align-items:center;min-height:2.75rem}
.end{border-top:1px solid var(--line);color:var(--soft);font-size:.875rem;padding:1.5rem 0}
@media (max-width:36rem){
main{padding-top:1.75rem}
.actions>*,.actions form,.actions button{width:100%}
table,thead,tbody,tr,th,td{display:block}
thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
tr{border-top:1px solid var(--line);padding:.75rem 0}
tr:first-child{border-top:0}
th,td{border:0;padding:.15rem 0}
}
@media (prefers-reduced-motion:no-preference){button,.button{transition:background-color .12s}}
@media (forced-colors:active){.mark .tick{stroke:Canvas}.notice,.card{border-color:CanvasText}}
@media print{body{background:#fff;color:#000;min-height:0}.top,.card{background:none}.actions,.skip,form button{display:none}.card{break-inside:avoid}}
`

/** The text of the stylesheet, before an installation's accent. */
export const baseStylesheet = `${base}${listStyles}`
