import texts from '../texts/places.json' with { type: 'json' }

export interface Place {
  readonly city: string
  readonly region: string
  readonly country: string
  readonly timezone: string
}

export const countries = texts.countries.map(({ places, ...country }) => ({
  ...country,
  places: places.map((place): Place => ({ ...place, country: country.name })),
}))

const byCity = new Map(countries.flatMap(({ places }) => places.map((place) => [place.city, place] as const)))

export const findPlace = (city: string): Place | undefined => byCity.get(city)

interface Timezone {
  readonly offsetHours: number
  /** The rule for summer time; undefined if the clocks never change. */
  readonly summerTime?: string
}

const timezones = new Map<string, Timezone>(Object.entries(texts.timezones))

export const findTimezone = (name: string): Timezone | undefined => timezones.get(name)
