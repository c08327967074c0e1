/** The exports for other programs: the server on standard input and output or over HTTP, and its command line. */

export { help, optionsFrom } from './arguments.ts'
export { type HttpAccess, type HttpOptions, serveHttp } from './serve-http.ts'
export { type ServeOptions, serveStdio } from './serve-stdio.ts'
