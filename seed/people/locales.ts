import type { Faker } from '@faker-js/faker'

import { createPool, type FakerPool } from '../random/fakers.ts'
import { nameLists } from './name-lists.ts'

const american = createPool({ person: nameLists.american })
const british = createPool({ person: nameLists.british })

/** The Fakers of people by country. */
const locales: ReadonlyMap<string, FakerPool<Faker>> = new Map([
  ['United States', american],
  ['Canada', american],
  ['Mexico', createPool({ person: nameLists.mexican })],
  ['Brazil', createPool({ person: nameLists.brazilian })],
  ['United Kingdom', british],
  ['Ireland', british],
  ['Germany', createPool({ person: nameLists.german })],
  ['France', createPool({ person: nameLists.french })],
  ['Spain', createPool({ person: nameLists.spanish })],
  ['Netherlands', createPool({ person: nameLists.dutch })],
  ['Sweden', createPool({ person: nameLists.swedish })],
  ['Poland', createPool({ person: nameLists.polish })],
  ['Italy', createPool({ person: nameLists.italian })],
  ['India', createPool({ person: nameLists.indian })],
  ['Japan', createPool({ person: nameLists.japanese })],
  ['Australia', createPool({ person: nameLists.australian })],
  ['South Africa', createPool({ person: nameLists.southAfrican })],
])

/** Finds the Fakers of people from a country; English names for any that no customers are generated in. */
export const findLocale = (country: string): FakerPool<Faker> => locales.get(country) ?? american
