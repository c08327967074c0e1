/**
 * The files that a service reads at run time from its own folder. A bundle has them beside `main.cjs`, where the same code finds them.
 * The bundler refuses a source that uses `import.meta` and is not listed here.
 */

/** The files beside each source, by source, relative to the root of the repository. */
export const assets: Readonly<Record<string, readonly string[]>> = {
  // The command `bundle` puts the built site beside the program.
  'services/gateway/src/documentation.ts': [],
  'services/ops-console/src/pages/assets.ts': ['refresh.client.js'],
}
