/**
 * The prompts of the service: each is a way to use one or two tools well. A prompt is offered while
 * its tool is mounted, and its text names tools and prices as they are now.
 */
import type { CatalogSnapshot, Prompt, PromptMessage } from '#kernel'
import type { Naming } from '../../shared/mcp/contract.ts'
import { documentPrompt } from './documents.ts'
import type { PromptPlan } from './plan.ts'
import { schemaPrompt } from './schema.ts'
import { Toolbox } from './toolbox.ts'
import { webhookPrompt } from './webhook.ts'
import { webpagePrompt } from './webpage.ts'

const PLANS: readonly PromptPlan[] = [
  documentPrompt('receipt'),
  documentPrompt('invoice'),
  webpagePrompt,
  schemaPrompt,
  webhookPrompt,
]

/** The prompts whose tool is mounted. */
export function catalogPrompts(snapshot: CatalogSnapshot, naming: Naming): readonly Prompt[] {
  const tools = new Toolbox(snapshot, naming)
  return PLANS.filter(({ tool }) => tools.has(tool)).map((plan) => ({
    name: plan.name,
    title: plan.title,
    description: plan.description,
    arguments: plan.arguments,
    messages: (args): readonly PromptMessage[] => [
      { role: 'user', content: { type: 'text', text: plan.text(args, tools) } },
    ],
  }))
}
