/**
 * Spelling of the site: British English, and the words of `words.txt`, which are technical terms and names of persons. Code is not
 * validated, nor a name with a capital inside, such as that of a type or of an alert.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import dictionary from 'dictionary-en-gb'
import { type HTMLElement, type Node, NodeType } from 'node-html-parser'
import nspell from 'nspell'

const unvalidated = new Set(['code', 'pre', 'kbd', 'script', 'style', 'svg'])

const spell = nspell({ aff: Buffer.from(dictionary.aff), dic: Buffer.from(dictionary.dic) })
spell.personal(readFileSync(join(import.meta.dirname, 'words.txt'), 'utf8'))

/** Returns the unknown words of a page's main part. */
export function findMisspelt(page: HTMLElement): string[] {
  const text = page.querySelectorAll('main').flatMap(textsOf).join(' ').replaceAll('’', "'")
  const words = text.match(/(?<![\w@/.#-])\p{L}+(?:'\p{L}+)*(?![\w@/]|-\w|\.\w)/gu) ?? []
  return [...new Set(words)].filter((word) => !/\p{Ll}\p{Lu}/u.test(word) && !spell.correct(word))
}

/** One text for each text node: two elements side by side are two words. */
function textsOf(node: Node): string[] {
  if (node.nodeType === NodeType.TEXT_NODE) return [node.text]
  const { rawTagName } = node as HTMLElement
  return unvalidated.has(rawTagName?.toLowerCase()) ? [] : node.childNodes.flatMap(textsOf)
}
