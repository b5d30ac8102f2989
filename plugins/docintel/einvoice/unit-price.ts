/** The price of one unit: e-invoices may state it for a hundred, or for a thousand. */
import { numberAt, type XmlNode } from '../../shared/xml.ts'

/**
 * `price` for one unit of what `quantity` counts. `base` is the quantity that it is stated for (absent:
 * one). Null where there is no price, and where base and quantity count different units.
 */
export function unitPriceOf(
  price: number | null,
  base: XmlNode | null,
  quantity: XmlNode | null,
): number | null {
  const count = numberAt(base) ?? 1
  if (price === null || count === 1 || count <= 0) return price
  const [ofBase, ofQuantity] = [base, quantity].map((node) => node?.attributes.unitCode)
  if (ofBase && ofQuantity && ofBase !== ofQuantity) return null
  return Number((price / count).toPrecision(12))
}
