/** Words that only companies of some size have, with the least number of their employees. The first match decides. */
const wordsBySize: readonly (readonly [employees: number, words: RegExp])[] = [
  [
    150,
    /\b(?:regions?|regional|acquired|acquisition|subsidiar|business unit|parent company|same group|works council|communications|monthly check-in|head office|second (?:office|site)|other offices|back office|press people|by country)\b/i,
  ],
  [
    60,
    /\b(?:sites?|locations?|departments?|divisions?|board|procurement|purchasing|lawyers?|legal team|their legal|internal audit|auditors?|the audit|CFO|executive|reorgani[sz]ation|org chart|leadership|management meeting|finance director|cost center|newcomers|enterprise|suppliers|strategy paper|quarterly business review|QBR|purchase order|two signatures|their ERP|identity provider|shared services|retires|HR)\b/i,
  ],
  [
    20,
    /\b(?:teams|another team|new team|second team|whole team|half of the (?:team|office)|second group|group by group|IT security|security team|their IT|IT at|IT manager|data protection officer|deputy|accounts payable|month-end|firewall|managers|hiring plans|everyone else follows|train the rest)\b/i,
  ],
]

const leastByText = new Map<string, number>()

/** Finds the least number of employees of a company that a text can be about. */
function findLeastEmployees(text: string): number {
  let least = leastByText.get(text)
  if (least === undefined) {
    least = wordsBySize.find(([, words]) => words.test(text))?.[0] ?? 0
    leastByText.set(text, least)
  }
  return least
}

/** The number of employees from which a company has everything. */
const LARGE = 150

/** Reports whether a text, or each of several, can be about a company with so many employees. */
export const fitsSize = (text: string | readonly string[], employees: number): boolean =>
  employees >= LARGE ||
  (typeof text === 'string' ? [text] : text).every((each) => findLeastEmployees(each) <= employees)

/** Keeps the texts that can be about a company with so many employees, or all if none can. */
export function keepFitting<T extends string | readonly string[]>(
  texts: readonly T[],
  employees: number,
): readonly T[] {
  if (employees >= LARGE) return texts
  const fitting = texts.filter((text) => fitsSize(text, employees))
  return fitting.length > 0 ? fitting : texts
}
