import type { RecordKey } from './record-key.ts'

/** The industries of customers, with words from the names of their companies. */
export const industries = {
  Logistics: ['Freight', 'Logistics', 'Haulage', 'Cargo', 'Shipping', 'Parcel', 'Supply', 'Warehousing'],
  Manufacturing: [
    'Robotics',
    'Tooling',
    'Castings',
    'Machinery',
    'Components',
    'Plastics',
    'Motors',
    'Steel',
  ],
  Healthcare: ['Clinics', 'Health', 'Diagnostics', 'Care', 'Dental', 'Medical', 'Hospitals', 'Imaging'],
  Retail: ['Outfitters', 'Markets', 'Home', 'Stores', 'Apparel', 'Optics', 'Footwear', 'Garden Centres'],
  Finance: ['Capital', 'Credit', 'Payments', 'Wealth', 'Leasing', 'Savings', 'Treasury', 'Pensions'],
  Insurance: ['Insurance', 'Mutual', 'Assurance', 'Underwriting', 'Risk Partners', 'Brokers'],
  Energy: ['Energy', 'Solar', 'Wind', 'Power', 'Utilities', 'Grid', 'Heat Networks', 'Batteries'],
  Food: ['Foods', 'Dairy', 'Bakeries', 'Beverages', 'Kitchens', 'Farms', 'Coffee', 'Mills'],
  Education: ['Academy', 'Learning', 'Schools', 'Press', 'College', 'Training', 'Tutors'],
  Media: ['Media', 'Studios', 'Broadcast', 'Publishing', 'Pictures', 'Audio', 'Events'],
  Construction: ['Construction', 'Builders', 'Engineering', 'Timber', 'Concrete', 'Interiors', 'Scaffolding'],
  Hospitality: ['Hotels', 'Resorts', 'Travel', 'Catering', 'Hospitality', 'Ferries', 'Lodges'],
  'Life sciences': ['Biotech', 'Therapeutics', 'Genomics', 'Labs', 'Pharma', 'Biologics', 'Trials'],
  Telecommunications: ['Telecom', 'Networks', 'Fibre', 'Wireless', 'Broadband', 'Satellite'],
  Software: ['Software', 'Systems', 'Cloud', 'Security', 'Data', 'Interactive', 'Automation', 'Games'],
  'Public sector': ['Water Board', 'Transit', 'Port Authority', 'Libraries', 'Housing Trust', 'Airports'],
} as const satisfies Record<string, readonly string[]>

const single =
  'Kestrel Alder Juniper Bluefin Heron Saffron Cobalt Marlow Tamarind Osprey Lantern Pinnacle Sable Thistle Verity ' +
  'Wren Zephyr Amber Birch Cedar Delphi Ember Falcon Granite Hazel Indigo Jasper Keystone Linden Meridian Nimbus ' +
  'Orchard Pelican Quarry Rowan Sequoia Tiller Umber Vantage Willow Yarrow Anchor Basalt Calder Dovetail Elmwood ' +
  'Fenland Garnet Halcyon Ironside Jubilee Kingfisher Lodestar Magnolia Nettle Opal Paragon Quince Rosewood Solstice ' +
  'Trellis Upland Viaduct Waypoint Acorn Beacon Compass Drift Everest Foxglove Gable Harvest Isthmus Jade Kindred ' +
  'Lark Mosaic Northstar Oasis Prairie Quartz Ridgeline Summit Tundra Unity Vista Windmill Apex Bramble Citadel ' +
  'Dune Equinox Fjord Glacier Highland Ivory Jetty Knoll Lagoon Monsoon'
const first =
  'North South East West Silver Golden Iron Copper Stone Oak Ash Elm Maple Clear Bright Blue Green Red White Black ' +
  'River Lake Sea Hill Wood Spring Winter Summer High Long Broad Deep Fair Grand Swift Crown King Wolf Hawk Fox'
const second =
  'bridge field gate haven ridge ford brook port wood mont shore dale land stead cliff bank crest mark view well ' +
  'harbour mere point side worth hurst moor garth pool lea stone wick ton bourne by water combe way'

const singles = single.split(' ')
const partners = [7, 19, 33, 51].flatMap((step) =>
  singles.map((name, index) => `${name} & ${singles[(index + step) % singles.length]}`),
)
/** Excludes words that read badly, such as "Deeppool". */
const compounds = first.split(' ').flatMap((start) =>
  second
    .split(' ')
    .filter((end) => !start.toLowerCase().endsWith(end.charAt(0)))
    .map((end) => start + end),
)
const prefixes = [...singles, ...partners, ...compounds]

const activities = Object.entries(industries).flatMap(([industry, words]) =>
  words.map((word) => ({ industry, word })),
)

/** A company as described by its name. */
export interface CompanyName {
  readonly name: string
  /** A domain that never resolves. Source: RFC 2606, `.example`. */
  readonly domain: string
  readonly industry: string
}

/**
 * Generates the company at a position. The first 200,000 positions of a key have distinct names and domains.
 */
export function generateCompany(organization: RecordKey, position: number): CompanyName {
  const place = organization.permute(position, prefixes.length * activities.length)
  const activity = activities[place % activities.length]
  const prefix = prefixes[Math.floor(place / activities.length)]
  if (!activity || !prefix)
    throw new RangeError(`Cannot name company ${position}: the place ${place} is out of range.`)
  const name = `${prefix} ${activity.word}`
  return { name, domain: toDomain(name), industry: activity.industry }
}

/** Detects the industry from the last words of a company's name; undefined if they name none. */
export function detectIndustry(name: string): string | undefined {
  return activities.find(({ word }) => name.endsWith(` ${word}`))?.industry
}

/** Converts a name to a domain: its letters and digits under the reserved `.example`. */
export function toDomain(name: string): string {
  const label = name
    .normalize('NFD')
    .replace(/&/g, '')
    .replace(/[^a-zA-Z0-9]/g, '')
    .toLowerCase()
    .slice(0, 63)
  return `${label || 'company'}.example`
}
