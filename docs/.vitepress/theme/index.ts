// Without the fonts, which would be a fifth of the site.
import Theme from 'vitepress/theme-without-fonts'

// oxlint-disable-next-line import/no-unassigned-import -- VitePress bundles the styles.
import './style.css'

export default Theme
