/** The site as Astro builds it: every asset is a file of this site, and no page needs another origin. */

import { join } from 'node:path'
import starlight from '@astrojs/starlight'
import { defineConfig, passthroughImageService } from 'astro/config'
import { sidebarOf } from './src/sidebar.ts'
import { base, contentFolder, siteFolder } from './src/site.ts'

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
    starlight({
      title: 'Financial Agents',
      description: 'An API through which an agent acts for one person’s money: every write a durable operation.',
      customCss: ['./src/site.css'],
      sidebar: sidebarOf(contentFolder),
      credits: false,
      // The pages have no edit link: nobody edits them in a browser.
      editLink: {},
      expressiveCode: { themes: ['github-dark-high-contrast', 'github-light-high-contrast'] },
    }),
  ],
})
