// The site that `go run ./docs/site` builds from the pages and the site.json that it has written to
// .build; see main.go.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig, type DefaultTheme } from 'vitepress'
import { githubSlug, linksOfRepository, plainMarkdown, type Site } from './markdown'
import { boostDocument, processTerm } from './search'

const build = (name: string) => fileURLToPath(new URL('../.build/' + name, import.meta.url))
const site: Site = JSON.parse(readFileSync(build('site.json'), 'utf8'))

const sidebar = (groups: Site['navigation']): DefaultTheme.SidebarItem[] => (groups ?? []).map(g => ({
  text: g.name,
  collapsed: g.folded,
  items: [...(g.items ?? []).map(i => ({ text: i.name, link: '/' + i.page })), ...sidebar(g.groups)],
}))

export default defineConfig({
  srcDir: '.build/pages',
  outDir: '.build/public',
  cacheDir: '.build/cache',
  base: site.base,
  lang: 'en',
  title: 'Hone',
  description: 'Change the import, keep the code: JSON, routing and binding of a Go service.',
  metaChunk: true,
  vite: {
    publicDir: build('assets'),
    build: { chunkSizeWarningLimit: 4000, reportCompressedSize: false },
  },
  markdown: {
    // Braces are text in the pages. Only the pages of packages set anchors.
    attrs: { leftDelimiter: '⟦', rightDelimiter: '⟧', allowedAttributes: ['id'] },
    anchor: { slugify: githubSlug },
    toc: { slugify: githubSlug },
    config(md) {
      plainMarkdown(md)
      linksOfRepository(md, site)
    },
  },
  themeConfig: {
    sidebar: sidebar(site.navigation),
    versions: site.versions,
    outline: [2, 3],
    nav: [
      { text: 'Quickstart', link: '/docs/quickstart.md' },
      { text: 'Which package', link: '/docs/which-package.md' },
      { text: 'Migrate', link: '/docs/migrating/migrate.md' },
      { text: 'Packages', link: '/pkg/index.md' },
    ],
    socialLinks: [{ icon: 'github', link: site.repository }],
    search: {
      provider: 'local',
      options: {
        _render(text, env, md) {
          const html = md.render(text, Object.assign(env, { plain: true }))
          return env.frontmatter?.search === false ? '' : html
        },
        miniSearch: { searchOptions: { boost: { title: 4, titles: 2, text: 1 }, prefix: true, fuzzy: 0.1, processTerm, boostDocument } },
      },
    },
  },
})
