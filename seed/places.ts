/** A city with its time zone. */
export interface Place {
  readonly city: string
  readonly region: string
  readonly country: string
  /** A name of the IANA time zone database. */
  readonly timezone: string
  /** The offset of standard time from UTC. Units: hours. */
  readonly offsetHours: number
  /** The rule for summer time; undefined if the clocks never change. */
  readonly summerTime: SummerTime | undefined
}

/** When clocks go one hour ahead: from March to November, from March to October, or from October to April. */
export type SummerTime = 'american' | 'european' | 'australian'

/** A country with its cities and the legal forms of its companies. */
export interface Country {
  readonly name: string
  readonly weight: number
  readonly legalForms: readonly string[]
  readonly places: readonly Place[]
}

type City = readonly [city: string, region: string, timezone: string, offsetHours: number]

const summerTimes: readonly (readonly [zones: RegExp, rule: SummerTime])[] = [
  [/^America\/(?:New_York|Chicago|Denver|Los_Angeles|Toronto|Vancouver|Edmonton)$/, 'american'],
  [/^Europe\/|^Atlantic\/Canary$/, 'european'],
  [/^Australia\/(?:Sydney|Melbourne)$/, 'australian'],
]

function country(
  name: string,
  weight: number,
  legalForms: readonly string[],
  cities: readonly City[],
): Country {
  const places = cities.map(([city, region, timezone, offsetHours]) => ({
    city,
    region,
    country: name,
    timezone,
    offsetHours,
    summerTime: summerTimes.find(([zones]) => zones.test(timezone))?.[1],
  }))
  return { name, weight, legalForms, places }
}

/** The countries of customers, with their cities, regions and time zones. */
export const countries: readonly Country[] = [
  country(
    'United States',
    30,
    ['Inc.', 'LLC', 'Corp.'],
    [
      ['Boston', 'Massachusetts', 'America/New_York', -5],
      ['Chicago', 'Illinois', 'America/Chicago', -6],
      ['Denver', 'Colorado', 'America/Denver', -7],
      ['Austin', 'Texas', 'America/Chicago', -6],
      ['Portland', 'Oregon', 'America/Los_Angeles', -8],
      ['Charlotte', 'North Carolina', 'America/New_York', -5],
    ],
  ),
  country(
    'Canada',
    8,
    ['Inc.', 'Ltd.'],
    [
      ['Toronto', 'Ontario', 'America/Toronto', -5],
      ['Montréal', 'Québec', 'America/Toronto', -5],
      ['Vancouver', 'British Columbia', 'America/Vancouver', -8],
      ['Calgary', 'Alberta', 'America/Edmonton', -7],
    ],
  ),
  country(
    'Mexico',
    3,
    ['S.A. de C.V.'],
    [
      ['Monterrey', 'Nuevo León', 'America/Monterrey', -6],
      ['Guadalajara', 'Jalisco', 'America/Mexico_City', -6],
      ['Querétaro', 'Querétaro', 'America/Mexico_City', -6],
    ],
  ),
  country(
    'Brazil',
    4,
    ['Ltda.', 'S.A.'],
    [
      ['São Paulo', 'São Paulo', 'America/Sao_Paulo', -3],
      ['Curitiba', 'Paraná', 'America/Sao_Paulo', -3],
      ['Recife', 'Pernambuco', 'America/Recife', -3],
    ],
  ),
  country(
    'United Kingdom',
    12,
    ['Ltd', 'plc'],
    [
      ['London', 'England', 'Europe/London', 0],
      ['Manchester', 'England', 'Europe/London', 0],
      ['Bristol', 'England', 'Europe/London', 0],
      ['Edinburgh', 'Scotland', 'Europe/London', 0],
      ['Cardiff', 'Wales', 'Europe/London', 0],
    ],
  ),
  country(
    'Ireland',
    3,
    ['Ltd', 'DAC'],
    [
      ['Dublin', 'Leinster', 'Europe/Dublin', 0],
      ['Cork', 'Munster', 'Europe/Dublin', 0],
      ['Galway', 'Connacht', 'Europe/Dublin', 0],
    ],
  ),
  country(
    'Germany',
    10,
    ['GmbH', 'AG', 'SE'],
    [
      ['Berlin', 'Berlin', 'Europe/Berlin', 1],
      ['Munich', 'Bavaria', 'Europe/Berlin', 1],
      ['Hamburg', 'Hamburg', 'Europe/Berlin', 1],
      ['Leipzig', 'Saxony', 'Europe/Berlin', 1],
      ['Stuttgart', 'Baden-Württemberg', 'Europe/Berlin', 1],
    ],
  ),
  country(
    'France',
    7,
    ['SAS', 'SA'],
    [
      ['Paris', 'Île-de-France', 'Europe/Paris', 1],
      ['Lyon', 'Auvergne-Rhône-Alpes', 'Europe/Paris', 1],
      ['Nantes', 'Pays de la Loire', 'Europe/Paris', 1],
      ['Toulouse', 'Occitanie', 'Europe/Paris', 1],
    ],
  ),
  country(
    'Spain',
    5,
    ['S.L.', 'S.A.'],
    [
      ['Madrid', 'Community of Madrid', 'Europe/Madrid', 1],
      ['Valencia', 'Valencian Community', 'Europe/Madrid', 1],
      ['Las Palmas', 'Canary Islands', 'Atlantic/Canary', 0],
    ],
  ),
  country(
    'Netherlands',
    5,
    ['B.V.', 'N.V.'],
    [
      ['Rotterdam', 'South Holland', 'Europe/Amsterdam', 1],
      ['Utrecht', 'Utrecht', 'Europe/Amsterdam', 1],
      ['Eindhoven', 'North Brabant', 'Europe/Amsterdam', 1],
    ],
  ),
  country(
    'Sweden',
    4,
    ['AB'],
    [
      ['Stockholm', 'Stockholm County', 'Europe/Stockholm', 1],
      ['Gothenburg', 'Västra Götaland', 'Europe/Stockholm', 1],
      ['Malmö', 'Skåne', 'Europe/Stockholm', 1],
    ],
  ),
  country(
    'Poland',
    3,
    ['Sp. z o.o.', 'S.A.'],
    [
      ['Warsaw', 'Masovia', 'Europe/Warsaw', 1],
      ['Kraków', 'Lesser Poland', 'Europe/Warsaw', 1],
      ['Gdańsk', 'Pomerania', 'Europe/Warsaw', 1],
    ],
  ),
  country(
    'Italy',
    4,
    ['S.p.A.', 'S.r.l.'],
    [
      ['Milan', 'Lombardy', 'Europe/Rome', 1],
      ['Bologna', 'Emilia-Romagna', 'Europe/Rome', 1],
      ['Turin', 'Piedmont', 'Europe/Rome', 1],
    ],
  ),
  country(
    'India',
    6,
    ['Pvt Ltd', 'Ltd'],
    [
      ['Bengaluru', 'Karnataka', 'Asia/Kolkata', 5.5],
      ['Pune', 'Maharashtra', 'Asia/Kolkata', 5.5],
      ['Hyderabad', 'Telangana', 'Asia/Kolkata', 5.5],
    ],
  ),
  country(
    'Japan',
    4,
    ['K.K.'],
    [
      ['Tokyo', 'Kantō', 'Asia/Tokyo', 9],
      ['Osaka', 'Kansai', 'Asia/Tokyo', 9],
      ['Fukuoka', 'Kyūshū', 'Asia/Tokyo', 9],
    ],
  ),
  country(
    'Australia',
    6,
    ['Pty Ltd'],
    [
      ['Sydney', 'New South Wales', 'Australia/Sydney', 10],
      ['Melbourne', 'Victoria', 'Australia/Melbourne', 10],
      ['Brisbane', 'Queensland', 'Australia/Brisbane', 10],
      ['Perth', 'Western Australia', 'Australia/Perth', 8],
    ],
  ),
  country(
    'South Africa',
    3,
    ['(Pty) Ltd'],
    [
      ['Cape Town', 'Western Cape', 'Africa/Johannesburg', 2],
      ['Johannesburg', 'Gauteng', 'Africa/Johannesburg', 2],
      ['Durban', 'KwaZulu-Natal', 'Africa/Johannesburg', 2],
    ],
  ),
]

const byCity = new Map(countries.flatMap(({ places }) => places.map((place) => [place.city, place] as const)))
const byTimezone = new Map([...byCity.values()].map((place) => [place.timezone, place] as const))

/** Finds the place of a city; undefined if no customers are generated there. */
export const findPlace = (city: string): Place | undefined => byCity.get(city)

/** Finds a place in a time zone; undefined if no customers are generated there. */
export const findPlaceInZone = (timezone: string): Place | undefined => byTimezone.get(timezone)
