/**
 * The files that a service reads at run time from its own folder or from a package. A bundle has them beside `main.cjs`
 * and in its `node_modules`, where the same code finds them. The bundler refuses a source that uses `import.meta` and
 * is not listed here.
 */

/** The files that one source reads. */
export type Assets = {
  /** Files beside the source. In the bundle they are beside `main.cjs`. */
  beside?: readonly string[]
  /** Files of packages, by package. */
  packages?: Readonly<Record<string, readonly string[]>>
}

/** By source, relative to the root of the repository. */
export const assets: Readonly<Record<string, Assets>> = {
  'services/gateway/src/reference/reference.ts': {
    beside: ['look.css', 'start.js'],
    packages: { 'swagger-ui-dist': ['swagger-ui.css', 'swagger-ui-bundle.js'] },
  },
  'services/ops-console/src/pages/assets.ts': { beside: ['refresh.client.js'] },
}
