// How the pages of the repository become pages of the site.
import { posix } from 'node:path'
import type MarkdownIt from 'markdown-it'

export interface Group { name: string; folded: boolean; items: { page: string; name: string }[] | null; groups: Group[] | null }
export interface Site {
  base: string
  versions: string
  repository: string
  navigation: Group[]
  pages: Record<string, string>
  files: string[]
  sources: Record<string, string>
}

// githubSlug returns the anchor that GitHub gives to a heading, since pages link to it.
export const githubSlug = (heading: string) => heading.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, '').replace(/ /g, '-')

// plainMarkdown leaves out comments, which are instructions to tests, and shows all other HTML and
// all braces as text, which Vue would run.
export function plainMarkdown(md: MarkdownIt) {
  const escape = (text: string) => md.utils.escapeHtml(text).replace(/\{\{/g, '&#123;&#123;')
  md.renderer.rules.html_block = (tokens, i) => escape(tokens[i].content.replace(/<!--.*?-->\n?/gs, ''))
  md.renderer.rules.html_inline = md.renderer.rules.html_block
  md.renderer.rules.text = (tokens, i) => escape(tokens[i].content)
  md.renderer.rules.code_inline = (tokens, i) => `<code>${escape(tokens[i].content)}</code>`

  // Colours take half of the time of a build, and the index of the search has none.
  const coloured = md.renderer.rules.fence!
  const fence: typeof coloured = (tokens, i, options, env, self) =>
    env.plain ? `<pre>${escape(tokens[i].content)}</pre>` : coloured(tokens, i, options, env, self)

  // The browser draws a drawing. Until then the page shows the text of the drawing.
  md.renderer.rules.fence = (tokens, i, ...rest) =>
    tokens[i].info.trim() === 'mermaid' ? `<Drawing code="${encodeURIComponent(tokens[i].content)}" />` : fence(tokens, i, ...rest)
  // The code in comments of packages is indented; that of commands is for a shell.
  md.renderer.rules.code_block = (tokens, i, options, env, self) => {
    tokens[i].info = env.relativePath.startsWith('pkg/cmd/') ? 'sh' : 'go'
    return fence(tokens, i, options, env, self)
  }

  // On a phone each row of a table with three columns or more is a block, whose cells name their columns; see
  // style.css. A table that still is too wide scrolls inside its own box.
  md.renderer.rules.table_open = (tokens, i) => `<div class="table ${tokens[i].meta}" tabindex="0"><table>\n`
  md.renderer.rules.table_close = () => '</table></div>\n'
  md.core.ruler.push('columns', state => {
    let columns: string[] = []
    let cell = 0
    let table: (typeof state.tokens)[number]
    state.tokens.forEach((token, i) => {
      if (token.type === 'table_open') [table, columns] = [token, []]
      if (token.type === 'tr_open') cell = 0
      if (token.type === 'th_open') columns.push(plainText(state.tokens[i + 1]))
      if (token.type === 'thead_close') table.meta = columns.length < 3 ? 'narrow' : columns.length < 6 ? 'wide' : 'wide many'
      if (token.type === 'td_open') token.attrSet('data-column', columns[cell++] ?? '')
    })
  })
}

const plainText = (token: { children: { type: string; content: string }[] | null }) =>
  (token.children ?? []).filter(t => t.type === 'text' || t.type === 'code_inline').map(t => t.content).join('')

// linksOfRepository turns relative links between files of the repository into links between pages of the
// site, or to the repository for files that are not pages.
export function linksOfRepository(md: MarkdownIt, site: Site) {
  const files = new Set(site.files)
  const folders = new Set(site.files.flatMap(file => file.split('/').map((_, i, parts) => parts.slice(0, i).join('/'))))
  const resolve = (href: string, source: string) => {
    const [path, anchor] = href.split(/(?=#)/)
    const file = posix.normalize(posix.join(posix.dirname(source), path)).replace(/\/$/, '')
    if (site.pages[file]) return '/' + site.pages[file] + (anchor ?? '')
    if (!files.has(file) && !folders.has(file)) throw new Error(`${source} links ${href}, which is not in the repository`)
    return `${site.repository}/${folders.has(file) ? 'tree' : 'blob'}/main/${file}${anchor ?? ''}`
  }
  md.core.ruler.push('links_of_repository', state => {
    const source = site.sources[state.env.relativePath]
    if (!source) return // a page that was made for the site
    for (const block of state.tokens) {
      for (const token of block.children ?? []) {
        const href = token.type === 'link_open' ? token.attrGet('href')! : ''
        if (href && !/^([a-z]+:|#|\/)/.test(href)) token.attrSet('href', resolve(href, source))
      }
    }
  })
}
