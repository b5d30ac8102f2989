/** What stands in a column of a table of goods. */
export type Column =
  | 'description'
  | 'quantity'
  | 'unit_price'
  | 'amount'
  | 'tax'
  | 'discount'
  | 'position'
  | 'unit'
  | 'code'
  | 'net'
