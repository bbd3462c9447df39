import texts from '../texts/places.json' with { type: 'json' }

export interface Place {
  readonly city: string
  readonly region: string
  readonly country: string
  readonly timezone: string
  /** The offset of standard time from UTC. Units: hours. */
  readonly offsetHours: number
  /** The rule for summer time; undefined if the clocks never change. */
  readonly summerTime: SummerTime | undefined
}

/** When clocks go one hour ahead: from March to November, from March to October, or from October to April. */
export type SummerTime = 'american' | 'european' | 'australian'

export interface Country {
  readonly name: string
  readonly weight: number
  readonly legalForms: readonly string[]
  readonly places: readonly Place[]
}

const summerTimes: readonly (readonly [zones: RegExp, rule: SummerTime])[] = [
  [/^America\/(?:New_York|Chicago|Denver|Los_Angeles|Toronto|Vancouver|Edmonton)$/, 'american'],
  [/^Europe\/|^Atlantic\/Canary$/, 'european'],
  [/^Australia\/(?:Sydney|Melbourne)$/, 'australian'],
]

export const countries: readonly Country[] = texts.countries.map(({ name, weight, legalForms, places }) => ({
  name,
  weight,
  legalForms,
  places: places.map((place) => ({
    ...place,
    country: name,
    summerTime: summerTimes.find(([zones]) => zones.test(place.timezone))?.[1],
  })),
}))

const byCity = new Map(countries.flatMap(({ places }) => places.map((place) => [place.city, place] as const)))
const byTimezone = new Map([...byCity.values()].map((place) => [place.timezone, place] as const))

export const findPlace = (city: string): Place | undefined => byCity.get(city)

export const findPlaceInZone = (timezone: string): Place | undefined => byTimezone.get(timezone)
