/** The version of the program that runs, which the bundler writes in; a process that runs from the sources has none. */

declare const PROGRAM_VERSION: string

/** For example `1.0.0`. */
export const version = typeof PROGRAM_VERSION === 'undefined' ? 'development' : PROGRAM_VERSION
