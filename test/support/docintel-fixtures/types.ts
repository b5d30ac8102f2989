/** A fixture: the lines of a document (cells parted by ' | ') and what is true of it. */
export interface SoldGood {
  quantity: number | null
  description: string
  amount: number
}
export interface Truth {
  merchant?: string
  buyer?: string
  address?: string
  date?: string | null
  total?: number | null
  id?: string
  subtotal?: number
  tax?: number
  currency?: string
  items?: number
  goods?: SoldGood[]
  docTypes?: string[]
}
export interface Fixture {
  name: string
  lines: string[]
  truth: Truth
  skill: 'receipt' | 'invoice'
}

/** Makes fixtures of a skill from their text as it is written out, a line a row. */
export const written =
  (skill: Fixture['skill']) =>
  (name: string, truth: Truth, text: string): Fixture => ({
    name,
    skill,
    truth,
    lines: text.trim().split('\n'),
  })
