/** Colours: on a terminal, and never with NO_COLOR (no-color.org) or a dumb terminal. */

type Style = (text: string) => string
export type Paint = { bold: Style; good: Style; bad: Style }

type Stream = { isTTY?: boolean }
type Env = Readonly<Record<string, string | undefined>>

export function hasColours({ isTTY }: Stream, env: Env): boolean {
  return isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb'
}

export function paintFor(stream: Stream, env: Env): Paint {
  const painted = hasColours(stream, env)
  const styled = (on: number, off: number) => (text: string) => (painted ? `\u001b[${on}m${text}\u001b[${off}m` : text)
  return { bold: styled(1, 22), good: styled(32, 39), bad: styled(31, 39) }
}
