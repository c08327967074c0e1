/** The states of an operation: a picture and the table of its moves, from the table of the operation machine. */

import { isTerminal, type OperationState, operationStates, transitions } from '@financial-agents/contract/machine'
import type { DocPage } from '../site.ts'

/** The middle of each state in the picture. The compiler asks for the place of a new state. */
const places: Record<OperationState, readonly [x: number, y: number]> = {
  requires_action: [75, 40],
  accepted: [75, 150],
  submitting: [280, 150],
  submitted: [490, 150],
  indeterminate: [490, 320],
  succeeded: [680, 40],
  failed: [280, 320],
  cancelled: [280, 40],
}
const [halfWidth, halfHeight] = [68, 20]

const meanings: Record<OperationState, string> = {
  requires_action: 'The owner has to approve it at the provider. Nothing has been sent.',
  accepted: 'It is durable, and waits to be sent. It can still end before that.',
  submitting: 'It is being sent, once.',
  submitted: 'The provider has it, and has not settled it yet.',
  indeterminate: 'The provider may have executed it. Reads will prove what happened. It is never sent again.',
  succeeded: 'The provider executed it. Final.',
  failed: 'The provider did not execute it. Final.',
  cancelled: 'It ended before it was sent. Final.',
}

/** One page with the picture. */
export function statePages(): DocPage[] {
  const states = operationStates.map((state) => `| \`${state}\` | ${meanings[state]} |`)
  const moves = transitions.map(
    ({ from, event, to, by }) =>
      `| ${from === null ? '(new)' : `\`${from}\``} | ${event.replaceAll('_', ' ')} | \`${to}\` | ${by} |`,
  )
  return [
    {
      path: 'reference/states',
      title: 'States of an operation',
      description: 'The eight states of a durable operation, their meaning, and every move between them.',
      order: 2,
      body: `${picture()}

| State | Meaning |
| --- | --- |
${states.join('\n')}

## Every move

| From | Event | To | Moved by |
| --- | --- | --- | --- |
${moves.join('\n')}
`,
    },
  ]
}

function picture(): string {
  const pairs = new Map(
    transitions.flatMap(({ from, to }) => (from === null ? [] : [[`${from} ${to}`, [from, to] as const]])),
  )
  const arrows = Array.from(pairs.values(), ([from, to]) => arrow(places[from], places[to], pairs.has(`${to} ${from}`)))
  const boxes = operationStates.map((state) => {
    const [x, y] = places[state]
    const kind = isTerminal(state) ? ' class="final"' : ''
    return `<g${kind}><rect x="${x - halfWidth}" y="${y - halfHeight}" width="${2 * halfWidth}" height="${2 * halfHeight}" rx="8"/><text x="${x}" y="${y + 5}">${state}</text></g>`
  })
  const marker =
    '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto-start-reverse"><path d="M0 0 8 4 0 8z"/></marker></defs>'
  return `<div class="states" tabindex="0" role="region" aria-label="Picture of the states"><svg viewBox="0 0 755 350" role="img" aria-label="States of an operation; the tables below say the same">${marker}${arrows.join('')}${boxes.join('')}</svg></div>`
}

/** A line from the edge of one box to the edge of another. Two opposite lines lie beside each other. */
function arrow([x1, y1]: readonly [number, number], [x2, y2]: readonly [number, number], hasOpposite: boolean): string {
  const [dx, dy] = [x2 - x1, y2 - y1]
  const length = Math.hypot(dx, dy)
  const aside = hasOpposite ? 7 : 0
  const [ox, oy] = [(-dy / length) * aside, (dx / length) * aside]
  const reach = Math.min(halfWidth / Math.abs(dx || 1e-9), halfHeight / Math.abs(dy || 1e-9))
  const at = (x: number, y: number) => `${Math.round(x + ox)} ${Math.round(y + oy)}`
  const end = 1 - reach - 3 / length
  return `<path class="move" d="M${at(x1 + dx * reach, y1 + dy * reach)} L${at(x1 + dx * end, y1 + dy * end)}" marker-end="url(#tip)"/>`
}
