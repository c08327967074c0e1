/**
 * The documentation site at `/docs`: the files of one folder, which `build-docs` writes. Pages are revalidated by their ETag; a file
 * whose name changes with its content is kept for ever. The folder may arrive later than the gateway starts: until then a page says so.
 *
 * Invariant: only files that the folder lists are served, so that no path leads out of it. No page can be framed or changes its base,
 * and each page names its scripts and styles in a policy of its own (`libs/clients/docs/src/finish-site.ts`).
 */

import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { documentationRoot } from '@financial-agents/contract/documentation-paths'
import { placeholderBaseUrl } from '@financial-agents/contract/openapi/origin'
import { html } from '@financial-agents/pages/html'
import { renderPage } from '@financial-agents/pages/page'
import { pageHeaders } from '@financial-agents/pages/page-headers'
import { isKnown } from './etag.ts'
import { prefersHtml } from './prefers-html.ts'
import type { Stored } from './stored.ts'

/** A request for a path of the site, without its query. */
export type DocumentationRequest = {
  path: string
  accept: string | undefined
  ifNoneMatch: string | undefined
}

export type Documentation = {
  /** Returns the answer for a path at or below `/docs`; undefined if there is no such file and the client wants no page. */
  find(request: DocumentationRequest): Promise<Stored | undefined>
}

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.md': 'text/markdown; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.xml': 'application/xml',
}

const { 'content-security-policy': _, 'cache-control': __, 'content-type': ___, ...ofPages } = pageHeaders()
/** The policy of the file itself names scripts and styles, but a policy in a file cannot forbid framing. */
const always = Object.entries({
  ...ofPages,
  'content-security-policy': "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'",
}).flat()

const immutable = /^\/(?:_astro|pagefind\/(?:fragment|index))\//

/** The one file that names addresses with an origin. */
const sitemap = '/sitemap.xml'

/** Serves the site in this folder. The default folder lies beside the program, as in the image. */
export function createDocumentation(
  baseUrl: string,
  folder = join(import.meta.dirname, 'documentation'),
): Documentation {
  let listed: ReadonlySet<string> | undefined
  const etags = new Map<string, string>()

  const files = async (): Promise<ReadonlySet<string> | undefined> => {
    listed ??= await listFiles(folder)
    return listed
  }
  const fileOf = async (file: string, given: { status: number; ifNoneMatch?: string | undefined }): Promise<Stored> => {
    const caching = ['Cache-Control', immutable.test(file) ? 'public, max-age=31536000, immutable' : 'no-cache']
    const known = etags.get(file)
    if (known && isKnown(given.ifNoneMatch, known))
      return { status: 304, headers: ['ETag', known, ...caching, ...always], body: null }
    const stored = await readFile(join(folder, file))
    const body = file === sitemap ? Buffer.from(stored.toString().replaceAll(placeholderBaseUrl, baseUrl)) : stored
    const etag = known ?? `"${createHash('sha256').update(body).digest('base64url')}"`
    etags.set(file, etag)
    if (isKnown(given.ifNoneMatch, etag))
      return { status: 304, headers: ['ETag', etag, ...caching, ...always], body: null }
    const type = contentTypes[extname(file)] ?? 'application/octet-stream'
    return { status: given.status, headers: ['Content-Type', type, 'ETag', etag, ...caching, ...always], body }
  }
  return {
    find: async ({ path, accept, ifNoneMatch }) => {
      const known = await files()
      if (known === undefined) return absent
      const file = path.slice(documentationRoot.length)
      if (known.has(file)) return fileOf(file, { status: 200, ifNoneMatch })
      if (file.endsWith('/') && known.has(`${file}index.html`))
        return fileOf(`${file}index.html`, { status: 200, ifNoneMatch })
      if (known.has(`${file}/index.html`)) return { status: 308, headers: ['Location', `${path}/`], body: '' }
      return prefersHtml(accept) ? fileOf('/404.html', { status: 404 }) : undefined
    },
  }
}

/** Returns every file as a path below the folder; undefined if there is no finished site. */
async function listFiles(folder: string): Promise<ReadonlySet<string> | undefined> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile())
  const paths = new Set(files.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length)))
  return paths.has('/index.html') ? paths : undefined
}

/** The answer while there is no site. */
const absent: Stored = {
  status: 503,
  headers: [...Object.entries(pageHeaders()).flat(), 'Retry-After', '10'],
  body: renderPage({
    title: 'The documentation is not here yet',
    lead: 'A development stack builds it in the background, which takes about a minute. Load this page again then.',
    main: html`<h2>Until then</h2><ul class="routes">
<li><a href="/v1/openapi.json">OpenAPI document</a> <span class="soft">Every route, as data.</span></li>
<li><a href="/problems">Problem codes</a> <span class="soft">What each refusal means, and what to do.</span></li>
<li><a href="/failure-codes">Failure codes</a> <span class="soft">Why an operation did not succeed.</span></li>
</ul>
<p>A gateway without a development stack reads it from <code>DOCUMENTATION_FOLDER</code>, which <code>npx -y pnpm@12 build-docs</code> writes. The image has it inside.</p>`,
  }),
}
