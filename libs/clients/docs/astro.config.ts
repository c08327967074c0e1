/** The site as Astro builds it: every asset is a file of this site, and no page needs another origin. */

import { join } from 'node:path'
import starlight from '@astrojs/starlight'
import { defineConfig, passthroughImageService } from 'astro/config'
import { sidebarOf } from './src/sidebar.ts'
import { base, contentFolder, siteFolder } from './src/site.ts'
import { weighPages } from './src/weigh-pages.ts'

export default defineConfig({
  root: import.meta.dirname,
  base,
  outDir: siteFolder,
  cacheDir: join(contentFolder, '../cache'),
  trailingSlash: 'always',
  image: { service: passthroughImageService() },
  build: { inlineStylesheets: 'never' },
  vite: { build: { assetsInlineLimit: 0 } },
  integrations: [
    weighPages,
    starlight({
      title: 'Financial Agents',
      description: 'An API through which an agent acts for one person’s money: every write a durable operation.',
      customCss: ['./src/site.css'],
      sidebar: sidebarOf(contentFolder),
      // The title counts as the heading that it is, with the weight of its page (`weigh-pages.ts`).
      pagefind: { ranking: { metaWeights: { title: 0 } } },
      credits: false,
      components: { Footer: './src/components/Footer.astro', SiteTitle: './src/components/SiteTitle.astro' },
      // The pages have no edit link: nobody edits them in a browser.
      editLink: {},
      expressiveCode: { themes: ['github-dark-high-contrast', 'github-light-high-contrast'] },
    }),
  ],
})
