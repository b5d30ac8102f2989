/** webpage_to_json. */
import { quoted, type PromptPlan } from './plan.ts'

export const webpagePrompt: PromptPlan = {
  name: 'webpage_to_json',
  title: 'Web page to JSON',
  description: 'Reads a public web page into JSON of the shape you want.',
  tool: 'extract.webpage',
  arguments: [
    { name: 'url', description: 'The http(s) address of the page', required: true },
    { name: 'fields', description: 'What to read from it, in words or as a JSON Schema' },
  ],
  text: ({ url, fields }, tools) => {
    const shape = fields
      ? 'Turn the wanted fields below into a JSON Schema and send it as `schema`; say in one sentence as `instruction` what matters.'
      : 'Without `schema` you get what the page says about itself (title, metadata, tables, article text).'
    const html = tools.has('extract.structured_data')
      ? ` If you already have the HTML, use ${tools.priced('extract.structured_data')} with \`html\` instead and save the fetch.`
      : ''
    const picture = tools.has('capture.screenshot')
      ? `\n4. If the page only fills in by script and the data is empty, ${tools.priced('capture.screenshot')} shows what a browser sees. Ask the user before you spend that.`
      : ''
    return `Read ${url} into JSON with one call of ${tools.priced('extract.webpage')}.

1. Send \`url\`. ${shape}${html}
2. Give back \`data\`; \`meta\` says where each value came from. Do not add values that are not in \`data\`.
3. A refusal with details.reason "robots" or "ssrf" is final for this address: tell the user, do not try other spellings of it.${picture}${quoted('Wanted fields', fields)}`
  },
}
