/**
 * The part of the stylesheet for pages with lists and figures: navigation, filters, labelled tables, timelines, plots.
 */

/** The CSS text that is appended to the stylesheet. */
export const listStyles = `
.area{font-weight:400;color:var(--soft);white-space:nowrap}
.area::before{content:"·";margin-inline-end:.6rem}
.who>a{display:inline-flex;align-items:center;min-height:2.75rem}
.ways{border-top:1px solid var(--line)}
.ways ul{list-style:none;padding:0;margin-block:0;margin-inline:-.75rem 0;display:flex;flex-wrap:wrap}
.ways a{display:flex;align-items:center;min-height:2.75rem;padding:0 .75rem;color:var(--soft);text-decoration:none;border-bottom:3px solid transparent;border-top:3px solid transparent}
.ways a:hover{color:var(--ink);text-decoration:underline}
.ways a[aria-current]{color:var(--ink);font-weight:600;border-bottom-color:var(--accent)}
.fresh{display:flex;flex-wrap:wrap;align-items:center;gap:0 1.25rem;min-height:2.75rem;color:var(--soft);font-size:.9375rem;font-variant-numeric:tabular-nums}
.fresh .quiet,.fresh a{font-size:.9375rem;min-height:2.75rem;padding:0;display:inline-flex;align-items:center}
.fresh .late{color:var(--warning);font-weight:600}
.waiting{border:1px solid var(--warning);border-radius:var(--radius);background:var(--warning-wash);padding:1rem 1.25rem}
.waiting>p{font-weight:650}
.waiting ul{list-style:none;padding:0}
.waiting li{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:center;justify-content:space-between;padding:.75rem 0;border-top:1px solid var(--line)}
.waiting li:first-child{border-top:0}
.waiting li:last-child{padding-bottom:0}
.waiting li>div{flex:1 1 16rem;min-width:0}
.waiting .button{background:var(--surface)}
main>:is(.waiting,.standing)+.notice{margin-top:1.25rem}
main>:is(.waiting,.standing)+h1{margin-top:1.75rem}
.standing p+p{margin-top:.5rem}
.share{display:block;width:100%;height:.5rem;margin-top:.35rem;border-radius:.25rem;overflow:hidden}
[dir=rtl] .share{transform:scaleX(-1)}
.share .ground{fill:var(--line)}
.share .filled{fill:var(--accent)}
.share .pending{fill:var(--line);fill-opacity:.6}
.sums{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,8rem),1fr));gap:.5rem 1.25rem}
.sums strong{display:block;font-variant-numeric:tabular-nums}
.acts{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;align-items:center}
.acts>*{margin-top:0}
.acts>a{display:inline-flex;align-items:center;min-height:2.75rem}
.acts:empty{display:none}
.amount{white-space:nowrap;font-variant-numeric:tabular-nums}
@media print{.waiting,.ways,.end,.who,.no-print{display:none}main{padding:0}a{color:inherit;text-decoration:none}}
.tiles{list-style:none;padding:0;display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,13rem),1fr));gap:.75rem}
p.small+.tiles{margin-top:.4rem}
.tiles .status{white-space:normal}
.tiles+.small{margin-top:1.25rem}
.tiles a{display:block;height:100%;padding:.75rem 1rem;background:var(--surface);border:1px solid var(--line);border-radius:var(--radius);color:var(--ink);text-decoration:none}
.tiles a:hover{border-color:var(--edge);text-decoration:none}
.tiles a[aria-current]{border-color:var(--accent);box-shadow:inset 0 0 0 1px var(--accent)}
.tiles .number{display:block;font-size:1.5rem;font-weight:650;line-height:1.3;font-variant-numeric:tabular-nums}
.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,24rem),1fr));gap:0 2.5rem}
.pair>*{min-width:0}
.filters{display:flex;flex-wrap:wrap;gap:1rem;align-items:flex-end;background:var(--surface);border:1px solid var(--line);border-radius:var(--radius);padding:1rem 1.25rem}
form.filters>*+*,.filters .field+.field{margin-top:0}
.filters .field{flex:1 1 10rem;min-width:0}
.filters .field.grow{flex-grow:2}
.filters .input{max-width:none}
.filters .actions{margin-top:0}
.filters .more{flex-basis:100%}
.filters .more .fields{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,13rem),1fr));gap:1rem}
.filters .more>p{margin-top:.75rem}
.ways .bar{padding-top:.25rem;padding-bottom:.25rem}
.search{display:flex;flex-wrap:wrap;gap:.5rem;flex:0 1 24rem;min-width:0}
.search>*+*{margin-top:0}
.search input{flex:1 1 8rem}
.search button{padding:.5rem 1rem}
.dense td,.dense th{padding-top:.4rem;padding-bottom:.4rem}
.words{white-space:pre-wrap;overflow-wrap:anywhere}
select,textarea{font:inherit;width:100%;min-width:0;min-height:2.875rem;padding:.5rem .8rem;border:1px solid var(--edge);border-radius:8px;background:var(--surface);color:var(--ink)}
textarea{display:block;resize:vertical;min-height:6rem}
.wrong textarea,.wrong select{border:2px solid var(--bad)}
.list td,.list th{padding-inline-end:1.25rem}
.list td:last-child,.list th:last-child{padding-inline-end:0}
.list tbody th{font-weight:400}
.number-cell{text-align:end}
.id{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.8125rem;overflow-wrap:anywhere}
section>p+p{margin-top:.5rem}
.list time{white-space:nowrap}
.list p{font-size:.9375rem;color:var(--soft)}
a:has(>code){text-underline-offset:.32em}
.none{color:var(--soft)}
.pages{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem}
.pages a{display:inline-flex;align-items:center;min-height:2.75rem}
.timeline{list-style:none;padding:0;margin-bottom:0}
.timeline>li{position:relative;padding-block:0 1.75rem;padding-inline:2.25rem 0}
.timeline>li::before{content:"";position:absolute;inset-inline-start:.5rem;top:1.75rem;bottom:-.2rem;border-inline-start:2px solid var(--line)}
.timeline>li:last-child{padding-bottom:0}
.timeline>li:last-child::before{display:none}
.timeline>li>.mark-of{position:absolute;inset-inline-start:0;top:.15rem;display:grid;place-items:center;width:1.125rem;height:1.375rem}
.timeline p{margin-top:.25rem}
.timeline .waited{color:var(--soft);font-size:.9375rem;margin-top:.6rem}
.timeline .quote{margin-top:.6rem;padding:.6rem .9rem;border-inline-start:3px solid var(--line);background:var(--surface);font-size:.9375rem}
.plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,15rem),1fr));gap:1rem}
.plot{margin:0;background:var(--surface);border:1px solid var(--line);border-radius:var(--radius);padding:1rem}
.plot figcaption{display:flex;justify-content:space-between;gap:.5rem;align-items:baseline}
.plot .number{font-size:1.25rem;font-weight:650;font-variant-numeric:tabular-nums}
.plot svg{display:block;width:100%;height:4rem;margin-top:.6rem;color:var(--accent)}
.plot .bars{fill:currentColor}
.plot .ground{stroke:var(--edge);stroke-width:1;vector-effect:non-scaling-stroke}
.plot .axis{display:flex;justify-content:space-between;color:var(--soft);font-size:.8125rem;font-variant-numeric:tabular-nums}
@media (max-width:36rem){
.brand:has(.area){flex-wrap:wrap;gap:0 .6rem;padding:.5rem 0}
.area{flex-basis:100%;padding-inline-start:2.1rem}
.area::before{display:none}
.list td[data-label]::before{content:attr(data-label) ": ";color:var(--soft);font-size:.9375rem}
.number-cell{text-align:start}
.status,.list time{white-space:normal}
.filters .field{flex-basis:max(8rem,calc(50% - .5rem))}
.search{flex:1 1 100%}
.full .list tr{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,max(8rem,34%)),1fr));gap:0 1rem;padding:.5rem 0}
.full .list tbody th{grid-column:1/-1}
.full .list td p{display:inline;margin-inline-start:.35rem}
.full .list td br{display:none}
.full .list .id{display:block;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.full .list tr>*{min-width:0;overflow-wrap:anywhere}
.full .list .button{white-space:normal;min-height:2.75rem;padding:.4rem .9rem}
.tiles{grid-template-columns:repeat(auto-fill,minmax(min(100%,max(8rem,34%)),1fr));gap:.5rem}
.tiles a{display:flex;gap:.25rem;justify-content:space-between;align-items:center;padding:.4rem .5rem;min-height:2.75rem}
.tiles .number{font-size:1.125rem}
.tiles .status{font-size:.8125rem;gap:.25rem;overflow-wrap:anywhere}
.filters .actions{width:100%}
.ways a{padding:0 .5rem}
.ways ul{margin-inline-start:-.5rem}
.list .zero{display:none}
.full .short tr{display:flex;flex-wrap:wrap;gap:0 .6rem;padding:.4rem 0;font-size:.875rem}
.full .short td[data-label]::before{font-size:inherit}
.full .short tbody th:has(+td .status){flex-basis:100%}
.full .short .status{font-size:inherit}
.full .short :is(td,th){padding:.05rem 0}
.full .short td p,.full .short :is(td,th)>:is(p,.id,br,.status~.status){display:none}
.full .short td[data-label=Client]{order:1}
.full .short td[data-label=Client]::before{content:none}
.full section>h2{margin-top:1.5rem}
.full .fine tr{padding:.3rem 0;font-size:.875rem}
.full .fine :is(td,th){padding:.05rem 0}
.full .fine td[data-label]::before{font-size:inherit}
.plots{grid-template-columns:repeat(auto-fill,minmax(min(100%,max(8rem,34%)),1fr));gap:.5rem}
.plot{padding:.6rem;min-width:0}
.plot figcaption,.plot .axis{flex-wrap:wrap;gap:0 .5rem}
.plot svg{height:2rem;margin-top:.3rem}
.brief .facts>div{gap:.15rem .75rem;padding:.4rem 0}
.brief dt{flex-basis:5.5rem}
.brief .facts{font-size:.9375rem}
.brief dt{overflow-wrap:anywhere}
.card{padding:16px}
}
@media (max-width:20rem){
.amount,.area{white-space:normal}
.full .short tr{display:block}
h1,h2,h3{hyphens:auto}
}
@media (forced-colors:active){.plot svg{color:CanvasText}.ways a[aria-current]{border-bottom-color:Highlight}}
@media print{.ways,.filters,.fresh,.pages{display:none}}
`
