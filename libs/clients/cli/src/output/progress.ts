/**
 * Progress of long work on a terminal: one line that is overwritten. Nothing is printed if stderr is not a terminal.
 */

import type { Stream } from './output.ts'
import { plain } from './plain.ts'

export type Progress = {
  /** Clears the line for good. */
  stop(): void
  /** Prints above the line. */
  above(print: () => void): void
}

const frames = ['|', '/', '-', '\\']
const clear = '\r\u001b[2K'

/** Shows a text and the time that has passed. */
export function startProgress(stderr: Stream, text: string): Progress {
  if (stderr.isTTY !== true) return { stop: () => {}, above: (print) => print() }
  const startedAt = Date.now()
  let frame = 0
  const draw = () => {
    const seconds = Math.round((Date.now() - startedAt) / 1_000)
    stderr.write(`${clear}${frames[frame++ % frames.length]} ${plain(text)} ${seconds} s`)
  }
  draw()
  const timer = setInterval(draw, 200)
  return {
    stop: () => {
      clearInterval(timer)
      stderr.write(clear)
    },
    above: (print) => {
      stderr.write(clear)
      print()
      draw()
    },
  }
}
