import type { EnhanceAppContext } from 'vitepress'
// Without the fonts, which would be a fifth of the site.
import Theme from 'vitepress/theme-without-fonts'

import { searchOptions } from '../search.ts'

// oxlint-disable-next-line import/no-unassigned-import -- VitePress bundles the styles.
import './style.css'

export default {
  extends: Theme,
  enhanceApp({ siteData }: EnhanceAppContext): void {
    // In a config, functions would be texts, which the server's policy forbids to evaluate.
    siteData.value.themeConfig.search.options.miniSearch = { searchOptions }
  },
}
