/** The input without byte order marks at the beginning of messages, which some programs of Windows write. JSON has none. */

import { Transform } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'

/** A stream of messages, one a line. A mark within a message is a character of its text, and stays. */
export function withoutByteOrderMarks(): Transform {
  const decoder = new StringDecoder('utf8')
  // The last character of the chunk before: the next chunk may begin a line.
  let before = '\n'
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      const text = (before + decoder.write(chunk)).replaceAll('\n\uFEFF', '\n')
      before = text.slice(-1)
      done(null, text.slice(1))
    },
  })
}
