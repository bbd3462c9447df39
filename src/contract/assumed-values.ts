import { type Assumption, oneOf } from './choice.ts'

/** The assumptions about values whose type alone is documented, and about what lists contain, by id. */
export const assumedValues = {
  'A-41': {
    subject: 'Signal notes',
    decision: 'null',
    because: 'the document types it as a string, and lists null as the only value',
    choice: oneOf(
      'signalNotes',
      ['null', 'null, unless a signal was arranged with text'],
      ['text', 'text: the latest note of the signal, or else its summary'],
    ),
  },
  'A-42': {
    subject: 'Order of logs',
    decision: 'newest first; logs and brief contents of the same time by higher id first',
    because: 'the document says "most recent first" of brief contents, and a log is read from its end',
  },
  'A-43': {
    subject: 'Which customers are visible in the scope all',
    decision: "all customers of the caller's organization",
    because: 'the document names no permissions of members',
  },
  'A-44': {
    subject: 'Range and direction of severity',
    decision: '1 to 5, of which 5 is the most severe',
    because: 'the document gives the type only',
  },
  'A-45': {
    subject: 'Currency of arr',
    decision: 'US dollars for every customer',
    because: 'the document names no currency, and no field has one',
  },
  'A-46': {
    subject: 'Form of country and region',
    decision: 'English names, as in Germany and EMEA',
    because: 'the document gives the type only',
  },
  'A-47': {
    subject: 'Which records lists contain',
    decision:
      'drafts, meetings to come and deactivated automations are listed; members who have left are not',
    because: 'each has a field that tells it from the others, except a member who has left',
  },
  'A-48': {
    subject: 'Roles, custom fields and metrics without a value',
    decision: 'a role is omitted; a field or a metric is omitted, or its value is null: both occur',
    because: 'the value of a field or metric has any type, and a client has to cope with both',
  },
  'A-49': {
    subject: 'Meaning of isPrimary, form of color',
    decision:
      'isPrimary marks the main signal of a customer and type; color is a hexadecimal RGB value like #d64545',
    because: 'the document gives the types only',
  },
  'A-50': {
    subject: 'A parameter for one value that is sent twice or empty',
    decision: 'rejected like a parameter that is out of bounds',
    because: 'a service that takes one of the values hides a mistake of the client',
    choice: oneOf(
      'singleValues',
      ['refused', 'rejected like a parameter that is out of bounds'],
      ['last', 'the last value counts, and an empty one is as if it had not been sent'],
    ),
  },
} as const satisfies Record<string, Assumption>
