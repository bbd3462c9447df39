import { expect, it } from 'vitest'

import { templateWith } from '../../seed/texts/template-schema.ts'
import { fillTemplate, listSlots } from '../../seed/texts/templates.ts'

it('a template’s slots are filled with facts, and braces and dollars in facts stay as they are', () => {
  const facts = { customer: '{{sum}} $& Sons', sum: 12 }
  expect(fillTemplate('{{customer}} pays {{sum}} or {{sum}}', facts)).toBe('{{sum}} $& Sons pays 12 or 12')
})

it('a fact is computed only for templates with its slot', () => {
  const facts = {
    known: 'yes',
    get unknown(): string {
      throw new Error('must not be read')
    },
  }
  expect(fillTemplate('{{known}}', facts)).toBe('yes')
})

it('a slot without a fact is an error that names both', () => {
  expect(() => fillTemplate('{{customer}} pays {{sum}}', { customer: 'A' })).toThrow(
    'The template "{{customer}} pays {{sum}}" needs a fact named "sum".',
  )
})

it('slots are listed in their order', () => {
  expect(listSlots('{{a}} and {{b}}, then {{a}}')).toEqual(['a', 'b', 'a'])
})

it('the schema of a template rejects unknown slots and stray braces', () => {
  const schema = templateWith(['customer'])
  expect(schema.safeParse('{{customer}} is well').success).toBe(true)
  for (const wrong of ['', '{{custmer}}', '{customer}', '{{ customer }}', 'open {{customer']) {
    expect(schema.safeParse(wrong).success).toBe(false)
  }
})
