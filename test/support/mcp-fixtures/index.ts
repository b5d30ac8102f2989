/**
 * A plugin with the tools, prompts and resources that the official MCP conformance suite calls, so
 * that the suite runs whole against the adapter's own code. For tests only.
 */
import { Type } from 'typebox'
import { definePlugin } from '#kernel'
import { askingTools } from './asking.ts'
import { contentTools } from './content.ts'
import { prompts, resources } from './offers.ts'

export const fixtureSkills = [...contentTools, ...askingTools]

export default definePlugin({
  id: 'mcp-fixtures',
  version: '1.0.0',
  kernel: '^1.0.0',
  config: Type.Object({}),
  setup: () => ({ skills: fixtureSkills, prompts, resources }),
})

/** The product that mounts all of it, free of charge. */
export function fixtureProduct(): string {
  const skills = fixtureSkills.map(({ id }) => `  - skill: ${id}`).join('\n')
  return `product_id: fixtures\nplugin: mcp-fixtures\nmetered: false\nskills:\n${skills}\n`
}
