/** schema_transform_workflow. */
import { quoted, type PromptPlan } from './plan.ts'

export const schemaPrompt: PromptPlan = {
  name: 'schema_transform_workflow',
  title: 'Draft, check and evolve a JSON Schema',
  description:
    'From samples to a JSON Schema that is validated and compared with its last version.',
  tool: 'transform.json_schema',
  arguments: [
    { name: 'sample', description: 'One JSON sample, or an array of samples', required: true },
    { name: 'schema', description: 'The schema in use today, when there is one' },
    {
      name: 'direction',
      description: 'Whether the data is what clients send or what they receive',
      values: ['request', 'response', 'both'],
    },
  ],
  text: ({ sample, schema, direction }, tools) => {
    const draft = tools.priced('transform.json_schema')
    const diff = 'detect.schema_breaking_changes'
    const compare = tools.has(diff)
      ? `\n3. Compare the old and the new schema with ${tools.priced(diff)}: \`before\` is the schema in use, \`after\` the draft${direction ? `, \`direction\` "${direction}"` : ''}. List every change of level "breaking" with its location and what it breaks for whom.`
      : ''
    const first = schema
      ? `1. Check the sample against the schema in use with ${draft}: \`mode\` "validate", \`schema\`, \`instance\`. Every error comes with a JSON pointer.\n2. Draft a schema of the sample with the same tool: \`mode\` "draft", \`sample\`.`
      : `1. Draft a schema with ${draft}: \`mode\` "draft", \`sample\`. An array of samples gives better optional fields and enums than one.\n2. Check the draft with the same tool: \`mode\` "validate", \`schema\`, \`instance\`, on a sample that it has not seen, if the user has one.`
    return `Make a JSON Schema from the sample below. Each call is charged on its own, so make only the calls you need.

${first}${schema ? compare : ''}
${schema && tools.has(diff) ? 4 : 3}. Show the schema, and say which fields you had to guess (a format seen once, an enum from few samples).${quoted('Sample', sample)}${quoted('Schema in use', schema)}`
  },
}
