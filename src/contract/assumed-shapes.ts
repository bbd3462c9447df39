/** The assumptions about records whose fields the document does not show, by id. */
export const assumedShapes = {
  'A-18': {
    subject: 'Customer notes: query of the list, shape, request',
    decision:
      'the list takes pagination; a note is id, customerId, category, content, createdById, createdDate, updatedDate; the request is { categoryId, content }, content 1 to 10,000 Unicode code points; unknown fields are a 400',
    because: 'note categories are documented "for use when creating a note"',
  },
  'A-19': {
    subject: 'Automation summary, and which automations the list contains',
    decision: 'id, name, deactivatedDate; the list contains those that are not the child of another',
    because: 'children are shown inside their parent',
  },
  'A-20': {
    subject: 'Action log entry',
    decision: 'same as a trigger log entry',
    because: 'the two logs differ only in what they record',
  },
  'A-21': {
    subject: 'Brief definition',
    decision: 'id, key, name, description',
    because: 'other definitions have id, key and name',
  },
  'A-22': {
    subject: 'Brief content',
    decision: 'id, briefId, customerId, content (Markdown), createdDate',
    because: '"generated contents for the brief on the customer, most recent first" needs these',
  },
  'A-23': {
    subject: 'Custom field definition',
    decision: 'id, key, name, type (text, number, boolean, date, select), options',
    because: 'Customer.customFields has a key and a value of any type',
  },
  'A-24': {
    subject: 'Note category',
    decision: 'id, name',
    because: "the signal's lookups have this form",
  },
  'A-25': {
    subject: 'Product',
    decision: 'id, key, name',
    because: 'Signal has productId and productKey',
  },
  'A-26': {
    subject: 'Product metric',
    decision: 'id, key, name, type (number, percent, text, boolean)',
    because: "a customer's product metrics have a key and a value of any type",
  },
  'A-27': {
    subject: 'Signal subCategory',
    decision: 'id, name',
    because: "the signal's other lookups have this form",
  },
  'A-28': {
    subject: 'Meeting contact',
    decision: 'same as MeetingPerson',
    because: 'users and contacts share one type in the field list',
  },
  'A-29': {
    subject: 'Transcript line',
    decision: 'speaker, text, startSeconds, endSeconds',
    because: '"lines in order" needs who, what and when',
  },
  'A-30': {
    subject: "Triggers and actions of an automation's children",
    decision: 'each has an id, as at the top level',
    because: 'the type is recursive',
  },
} as const
