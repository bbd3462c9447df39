import texts from '../texts/places.json' with { type: 'json' }

export const countries = texts.countries.map(({ places, ...country }) => ({
  ...country,
  places: places.map((place) => ({ ...place, country: country.name })),
}))

export type Place = (typeof countries)[number]['places'][number]

const byCity = new Map(countries.flatMap(({ places }) => places.map((place) => [place.city, place] as const)))

export const findPlace = (city: string): Place | undefined => byCity.get(city)

/** A time zone has a rule for summer time, unless its clocks never change. */
export const timezones = new Map(
  Object.entries<{ readonly offsetHours: number; readonly summerTime?: string }>(texts.timezones),
)
