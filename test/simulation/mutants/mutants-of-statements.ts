/**
 * Mutants of a statement: each changes or drops one condition of its SQL. A condition is a conjunct or disjunct of
 * WHERE, ON, HAVING, FILTER or WHEN, the guard of ON CONFLICT, or an argument of GREATEST, LEAST and COALESCE.
 *
 * A dropped condition is kept as `((…) OR true)`, so that PostgreSQL still knows the types of its parameters.
 */

export type Mutant = { what: string; text: string }

type Token = { text: string; start: number; end: number; depth: number }
type Span = { start: number; end: number }

const pattern = /'(?:[^']|'')*'|"[^"]*"|[A-Za-z_][A-Za-z_0-9]*|\$\d+|<=|>=|<>|->>|->|::|\d+(?:\.\d+)?|\S/g

/** Splits a text into words with their depth in parentheses. A parenthesis has the depth of the text around it. */
function tokensOf(text: string): Token[] {
  let depth = 0
  return [...text.matchAll(pattern)].map((match) => {
    if (match[0] === ')') depth -= 1
    const token = { text: match[0].toUpperCase(), start: match.index, end: match.index + match[0].length, depth }
    if (match[0] === '(') depth += 1
    return token
  })
}

const conditionsEnd = new Set(
  'GROUP ORDER LIMIT OFFSET RETURNING FOR UNION DO JOIN LEFT CROSS INNER WHERE HAVING WINDOW ON SET THEN ;'.split(' '),
)

/** Returns the mutants, each once. The name of a mutant describes its change. */
export function mutantsOf(text: string): Mutant[] {
  const tokens = tokensOf(text)
  const edits = [...conditionEdits(text, tokens), ...conflictEdits(text, tokens), ...argumentEdits(text, tokens)]
  const seen = new Map<string, number>()
  return edits.map(({ span, with: replacement, what }) => {
    const times = (seen.get(what) ?? 0) + 1
    seen.set(what, times)
    const name = times === 1 ? what : `${what} (${times})`
    return { what: name, text: text.slice(0, span.start) + replacement + text.slice(span.end) }
  })
}

type Edit = { span: Span; with: string; what: string }

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

function conditionEdits(text: string, tokens: readonly Token[]): Edit[] {
  return tokens.flatMap((token, index) => {
    const next = tokens[index + 1]
    const begins =
      token.text === 'WHERE' ||
      token.text === 'HAVING' ||
      token.text === 'WHEN' ||
      (token.text === 'ON' && next?.text !== 'CONFLICT')
    if (!begins || !next) return []
    const from = index + 1
    let to = from
    while (to < tokens.length && !endsCondition(tokens[to] as Token, token.depth)) to += 1
    return editsWithin(text, tokens.slice(from, to), token.text === 'WHEN')
  })
}

function endsCondition({ text, depth }: Token, ofKeyword: number): boolean {
  return depth < ofKeyword || (depth === ofKeyword && conditionsEnd.has(text))
}

/** Edits of a condition and of the conditions inside it. */
function editsWithin(text: string, tokens: readonly Token[], bothWays: boolean): Edit[] {
  const [first] = tokens
  const last = tokens.at(-1)
  if (!first || !last) return []
  for (const [word, neutral] of [
    ['OR', 'false'],
    ['AND', 'true'],
  ] as const) {
    const parts = splitAt(tokens, word, first.depth)
    if (parts.length > 1) return parts.flatMap((part) => partEdits(text, part, neutral))
  }
  return [...partEdits(text, tokens, 'true'), ...(bothWays ? partEdits(text, tokens, 'false', true) : [])]
}

function partEdits(text: string, tokens: readonly Token[], neutral: 'true' | 'false', alone = false): Edit[] {
  const [first] = tokens
  const last = tokens.at(-1)
  if (!first || !last) return []
  const span = { start: first.start, end: last.end }
  const condition = text.slice(span.start, span.end)
  if (condition.toLowerCase() === 'true' || (tokens.length === 1 && first.text.startsWith("'"))) return []
  const gone = neutral === 'true' ? `((${condition}) OR true)` : `((${condition}) AND false)`
  const edits: Edit[] = [
    { span, with: gone, what: `${neutral === 'true' ? 'without' : 'never'} ${oneLine(condition)}` },
  ]
  if (alone) return edits
  const inner = splitAt(tokens, 'AND', first.depth).length > 1
  if (inner) edits.push(...editsWithin(text, tokens, false))
  else if (first.text === '(' && closes(tokens))
    edits.push(...editsWithin(text, tokens.slice(1, -1), false).slice(isGroup(tokens) ? 0 : 1))
  for (const token of tokens) {
    const other = boundaries[token.text]
    if (other !== undefined && token.depth === first.depth && !inner && !ofTime.test(condition))
      edits.push({ span: token, with: other, what: `${other} in ${oneLine(condition)}` })
  }
  return edits
}

/** Comparisons of times keep their boundary: no case meets a moment to the millisecond. */
const ofTime = /_(at|until|after)\b/

const boundaries: Record<string, string> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' }

/** Returns true if the last parenthesis closes the first. */
function closes(tokens: readonly Token[]): boolean {
  const depth = tokens[0]?.depth
  return (
    tokens.findIndex((token, index) => index > 0 && token.text === ')' && token.depth === depth) === tokens.length - 1
  )
}

function isGroup(tokens: readonly Token[]): boolean {
  const inner = tokens.slice(1, -1)
  const depth = inner[0]?.depth ?? 0
  return splitAt(inner, 'OR', depth).length > 1 || splitAt(inner, 'AND', depth).length > 1
}

function splitAt(tokens: readonly Token[], word: 'AND' | 'OR', depth: number): Token[][] {
  const parts: Token[][] = [[]]
  let between = false
  for (const token of tokens) {
    if (token.depth === depth && token.text === 'BETWEEN') between = true
    if (token.depth === depth && token.text === word && !(word === 'AND' && between)) parts.push([])
    else {
      if (token.depth === depth && token.text === 'AND') between = false
      parts.at(-1)?.push(token)
    }
  }
  return parts
}

function conflictEdits(text: string, tokens: readonly Token[]): Edit[] {
  return tokens.flatMap((token, index) => {
    if (token.text !== 'ON' || tokens[index + 1]?.text !== 'CONFLICT') return []
    const nothing = tokens.findIndex(({ text: word }, at) => at > index && word === 'NOTHING')
    const update = tokens.findIndex(({ text: word }, at) => at > index && word === 'UPDATE')
    if (nothing < 0 || (update >= 0 && update < nothing)) return []
    const span = { start: token.start, end: tokens[nothing]?.end ?? token.end }
    return [{ span, with: '', what: `without ${oneLine(text.slice(span.start, span.end))}` }]
  })
}

function argumentEdits(text: string, tokens: readonly Token[]): Edit[] {
  return tokens.flatMap((token, index) => {
    if (!['GREATEST', 'LEAST', 'COALESCE'].includes(token.text) || tokens[index + 1]?.text !== '(') return []
    const close = tokens.findIndex(
      ({ text: word, depth }, at) => at > index + 1 && word === ')' && depth === token.depth,
    )
    const inside = tokens.slice(index + 2, close)
    const parts: Token[][] = [[]]
    for (const inner of inside)
      if (inner.text === ',' && inner.depth === token.depth + 1) parts.push([])
      else parts.at(-1)?.push(inner)
    const span = { start: token.start, end: tokens[close]?.end ?? token.end }
    return parts.map((part) => {
      const argument = text.slice(part[0]?.start, part.at(-1)?.end)
      return {
        span,
        with: `(${argument})`,
        what: `only ${oneLine(argument)} of ${oneLine(text.slice(span.start, span.end))}`,
      }
    })
  })
}
