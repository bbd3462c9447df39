import clock from 'lucide-static/icons/clock.svg?raw'
import copy from 'lucide-static/icons/copy.svg?raw'
import notEqual from 'lucide-static/icons/equal-not.svg?raw'
import pause from 'lucide-static/icons/pause.svg?raw'
import pencil from 'lucide-static/icons/pencil.svg?raw'
import search from 'lucide-static/icons/search.svg?raw'
import shuffle from 'lucide-static/icons/shuffle.svg?raw'
import cross from 'lucide-static/icons/x.svg?raw'
import zap from 'lucide-static/icons/zap.svg?raw'

const icons = { clock, copy, cross, notEqual, pause, pencil, search, shuffle, zap }
export type IconName = keyof typeof icons

export function Icon({ name }: { name: IconName }) {
  return <span class="icon" aria-hidden="true" dangerouslySetInnerHTML={{ __html: icons[name] }} />
}
