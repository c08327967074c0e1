/** A page as a person without JavaScript sees it: its words, buttons and links. */

import { type HTMLElement, parse } from 'node-html-parser'
import type { Answer } from './http.ts'

export type Page = Answer & { url: URL; root: HTMLElement }

export type Submission = { url: URL; method: string; fields: [string, string][] }

export function readPage(url: URL, answer: Answer): Page {
  return { ...answer, url, root: parse(answer.text) }
}

/** Returns the visible text with spaces folded. */
export function wordsOf(page: Page): string {
  const { root } = page
  const visible = root.querySelector('body') ?? root
  return visible.structuredText.replaceAll(/\s+/g, ' ').trim()
}

const words = (element: HTMLElement) =>
  (element.getAttribute('value') && element.tagName === 'INPUT'
    ? (element.getAttribute('value') as string)
    : element.text
  )
    .replaceAll(/\s+/g, ' ')
    .trim()

/** Finds the button or link whose words match. */
export function pressable(page: Page, pattern: RegExp): HTMLElement | undefined {
  return page.root
    .querySelectorAll('button, input[type=submit], a[href]')
    .find((element) => pattern.test(words(element)))
}

/** Returns the request that pressing sends. `changes` are the values that the person typed or chose. */
export function press(page: Page, pattern: RegExp, changes: Record<string, string> = {}): Submission {
  const element = pressable(page, pattern)
  if (!element)
    throw new Error(`${page.url.pathname} has nothing to press like ${pattern}: ${wordsOf(page).slice(0, 300)}`)
  if (element.tagName === 'A')
    return { url: new URL(element.getAttribute('href') as string, page.url), method: 'GET', fields: [] }
  const form = element.closest('form')
  if (!form) throw new Error('a button outside of a form')
  return submissionOf(page, form, element, changes)
}

/** Returns the target of the page's own refresh. */
export function refreshOf(page: Page): URL | undefined {
  const content = page.root.querySelector('meta[http-equiv=refresh]')?.getAttribute('content')
  const target = content && /^0; ?url=(.+)$/i.exec(content)?.[1]
  return target ? new URL(target, page.url) : undefined
}

/** Returns the form that a page submits by itself (response mode form_post). */
export function onlyForm(page: Page): Submission | undefined {
  const forms = page.root.querySelectorAll('form')
  return forms.length === 1 ? submissionOf(page, forms[0] as HTMLElement) : undefined
}

function submissionOf(page: Page, form: HTMLElement, button?: HTMLElement, changes: Record<string, string> = {}) {
  const fields = form.querySelectorAll('input, select, textarea').flatMap((field) => valueOf(field))
  for (const [name, value] of Object.entries(changes)) {
    const known = fields.find(([field]) => field === name)
    if (known) known[1] = value
    else fields.push([name, value])
  }
  const name = button?.getAttribute('name')
  if (name) fields.push([name, button?.getAttribute('value') ?? ''])
  const action = button?.getAttribute('formaction') ?? form.getAttribute('action') ?? page.url.href
  const method = (form.getAttribute('method') ?? 'get').toUpperCase()
  return { url: new URL(action, page.url), method, fields }
}

function valueOf(field: HTMLElement): [string, string][] {
  const name = field.getAttribute('name')
  const type = field.getAttribute('type') ?? 'text'
  if (!name || field.hasAttribute('disabled') || ['submit', 'button', 'image'].includes(type)) return []
  if (['checkbox', 'radio'].includes(type) && !field.hasAttribute('checked')) return []
  if (field.tagName === 'SELECT') {
    const options = field.querySelectorAll('option')
    const chosen = options.find((option) => option.hasAttribute('selected')) ?? options[0]
    return chosen ? [[name, chosen.getAttribute('value') ?? chosen.text]] : []
  }
  if (field.tagName === 'TEXTAREA') return [[name, field.text]]
  return [[name, field.getAttribute('value') ?? (type === 'checkbox' ? 'on' : '')]]
}
