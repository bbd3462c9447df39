export interface PageGroup {
  readonly title: string
  /** The files in `docs`, without `.md`. Order: as shown. */
  readonly names: readonly string[]
}

export const pageGroups: readonly PageGroup[] = [
  { title: 'Start', names: ['getting-started', 'embedding', 'recipes', 'configuration'] },
  {
    title: 'Use',
    names: [
      'sessions',
      'arranging-data',
      'faults',
      'clock',
      'living-tenant',
      'scenarios',
      'testing-a-sync',
      'journal',
      'fixtures',
      'assumptions',
      'calibration',
      'control-api',
      'cloudflare',
    ],
  },
  { title: 'Background', names: ['limits', 'faq', 'how-it-is-built', 'benchmarks'] },
]

/** The names of all guide pages. Order: as in the sidebar. */
export const pageNames: readonly string[] = pageGroups.flatMap(({ names }) => names)
