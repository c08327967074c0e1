/** The one collection of the site: the pages that `write-pages.ts` has written. */

import { docsSchema } from '@astrojs/starlight/schema'
import { defineCollection } from 'astro/content/config'
import { glob } from 'astro/loaders'
import { contentFolder } from './site.ts'

export const collections = {
  docs: defineCollection({ loader: glob({ base: contentFolder, pattern: '**/*.md' }), schema: docsSchema() }),
}
