/** A block of an article: a paragraph, a heading, a row … */
export interface Block {
  kind: 'paragraph' | 'heading' | 'item' | 'quote' | 'code' | 'row'
  text: string
  /** Share of the text that is inside links, 0..1. */
  linked: number
  /** Element and layout names that it stands in; alike blocks have alike places. */
  place: string
  /** The item of a list in which it stands: one object for all blocks of the item. */
  item?: ListItem
  /** Its text with links and emphasis, where they were asked for and do not reach over its end. */
  markup?: string
}

export interface ListItem {
  /** What marks it: '-' or '3.'. */
  mark: string
  /** Characters that the marks of the lists around it take. */
  indent: number
}
