/** The text as a part of a pattern of LIKE, in which none of its characters stands for others. */
export const likeText = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&')
