/** The version of the running program. The bundler inserts it; a process that runs from the sources has none. */

declare const PROGRAM_VERSION: string

/** For example `1.0.0`; `development` for a process that runs from the sources. */
export const version = typeof PROGRAM_VERSION === 'undefined' ? 'development' : PROGRAM_VERSION
