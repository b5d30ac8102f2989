/** receipt_to_json and invoice_to_json. */
import { quoted, type PromptPlan } from './plan.ts'

export function documentPrompt(kind: 'receipt' | 'invoice'): PromptPlan {
  const tool = `parse.${kind}`
  return {
    name: `${kind}_to_json`,
    title: kind === 'receipt' ? 'Receipt to JSON' : 'Invoice to JSON',
    description: `Reads one ${kind} (text, PDF or photo) into checked JSON.`,
    tool,
    arguments: [
      { name: 'text', description: `The text of the ${kind}; leave out when there is a file` },
      { name: 'file', description: 'Which file holds it (PDF, JPEG, PNG or WebP)' },
      {
        name: 'tier',
        description: 'S: text and rules; M: adds OCR; L: adds a model; auto: the least that works',
        values: ['auto', 'S', 'M', 'L'],
      },
    ],
    text: ({ text, file, tier }, tools) => {
      const source = file
        ? `Read the file ${file} and send it as \`file_base64\` with its \`content_type\`.`
        : `Send the ${kind} as \`text\`, or as \`file_base64\` with its \`content_type\`: exactly one of the two.`
      return `Turn this ${kind} into JSON with one call of ${tools.priced(tool)}.

1. ${source}${tier ? ` Set \`tier\` to "${tier}".` : ''}
2. Give back the result as it is. A null means that the ${kind} does not say it: never fill it in yourself.
3. Look at \`warnings\` and at \`confidence\`${kind === 'receipt' ? ' (`confidence.fields` goes field by field)' : ''}, and name every doubt to the user.${kind === 'invoice' ? ' `vat_total_mismatch` means that net, VAT and total do not add up: show the three numbers.' : ''}
4. If the call fails with UNSUPPORTED_FORMAT, say what is wrong with the file; do not call again with the same file.${quoted(`The ${kind}`, text)}`
    },
  }
}
