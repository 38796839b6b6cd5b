import DefaultTheme from 'vitepress/theme'
import { h } from 'vue'
import type { Theme } from 'vitepress'
import Drawing from './Drawing.vue'
import Versions from './Versions.vue'
import './style.css'

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'nav-bar-content-after': () => h(Versions) }),
  enhanceApp({ app }) {
    app.component('Drawing', Drawing)
  },
} satisfies Theme
