/** A whole number as it is read, the same in every browser, as in `10,000`. */
export const numberText = (count: number): string => String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')
