/** The exports for other programs: the server on standard input and output, and its command line. */

export { help, optionsFrom } from './arguments.ts'
export { type ServeOptions, serveStdio } from './serve-stdio.ts'
