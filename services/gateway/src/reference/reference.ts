/**
 * The reference: the OpenAPI document of this origin, shown by Swagger UI. The gateway serves every file of the page.
 * It reads them once, and their names change with their contents. The variant of the document without webhooks is beside
 * the page, because the contract has one route for the document.
 *
 * Invariant: the page sends no request to another origin, and runs no script but these files.
 */

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type OpenapiDocument, withoutWebhooks } from '@financial-agents/contract/openapi'
import { html } from '@financial-agents/pages/html'
import { renderPage } from '@financial-agents/pages/page'
import { pageHeaders } from '@financial-agents/pages/page-headers'
import type { Stored } from '../stored.ts'

const contentTypes = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8' } as const
type Kind = keyof typeof contentTypes

const variantPath = '/docs/openapi-without-webhooks.json'
const variantHeaders = ['Content-Type', 'application/json', 'Cache-Control', 'no-cache']

/** Returns the page and its files, by path. */
export function createReference(document: OpenapiDocument): Map<string, Stored> {
  const { resolve } = createRequire(import.meta.url)
  const stored = new Map<string, Stored>()
  const add = (file: string | URL, name: string, kind: Kind): string => {
    const body = readFileSync(file)
    const path = `/docs/${name}.${createHash('sha256').update(body).digest('hex').slice(0, 16)}.${kind}`
    stored.set(path, { headers: assetHeaders(kind), body })
    return path
  }
  const stylesheets = [
    add(resolve('swagger-ui-dist/swagger-ui.css'), 'swagger-ui', 'css'),
    add(new URL('./look.css', import.meta.url), 'look', 'css'),
  ]
  const scripts = [
    add(resolve('swagger-ui-dist/swagger-ui-bundle.js'), 'swagger-ui', 'js'),
    add(new URL('./start.js', import.meta.url), 'start', 'js'),
  ]
  stored.set(variantPath, { headers: variantHeaders, body: JSON.stringify(withoutWebhooks(document)) })
  const headers = Object.entries(pageHeaders({ application: true })).flat()
  return stored.set('/docs', { headers, body: page(stylesheets, scripts) })
}

function page(stylesheets: readonly string[], scripts: readonly string[]): string {
  return renderPage({
    title: 'API reference',
    wide: true,
    stylesheets,
    scripts,
    lead: html`Every route, what it takes and what it answers. Also as <a href="/v1/openapi.json">OpenAPI 3.1</a> (for generators that do not know webhooks: <a href="${variantPath}">without them</a>), and code by code: <a href="/problems">problem codes</a>, <a href="/failure-codes">failure codes of operations</a>.`,
    main: html`<div id="reference"></div><noscript><p>This page needs scripts. The <a href="/v1/openapi.json">OpenAPI document</a> says the same.</p></noscript>`,
  })
}

/** Anyone may cache the files for ever, because a file with a given name never changes. */
function assetHeaders(kind: Kind): string[] {
  return [
    'Content-Type',
    contentTypes[kind],
    'Cache-Control',
    'public, max-age=31536000, immutable',
    'Cross-Origin-Resource-Policy',
    'same-origin',
    'X-Content-Type-Options',
    'nosniff',
  ]
}
