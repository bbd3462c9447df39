import texts from '../texts/places.json' with { type: 'json' }

export interface Place {
  readonly city: string
  readonly region: string
  readonly country: string
  readonly timezone: string
}

export interface Timezone {
  readonly offsetHours: number
  /** The rule for summer time; undefined if the clocks never change. */
  readonly summerTime?: string | undefined
}

export interface Country {
  readonly name: string
  readonly weight: number
  readonly legalForms: readonly string[]
  readonly places: readonly Place[]
}

export const countries: readonly Country[] = texts.countries.map(({ places, ...country }) => ({
  ...country,
  places: places.map((place) => ({ ...place, country: country.name })),
}))

const byCity = new Map(countries.flatMap(({ places }) => places.map((place) => [place.city, place] as const)))

export const findPlace = (city: string): Place | undefined => byCity.get(city)

const timezones = new Map<string, Timezone>(Object.entries(texts.timezones))

export const findTimezone = (name: string): Timezone | undefined => timezones.get(name)
