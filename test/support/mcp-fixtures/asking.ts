/** Fixtures that need answers of the client before they can go on. */
import { Type } from 'typebox'
import { inputRequired, type InputRequest } from '#kernel'
import { show, text, tool, type Handler } from './tool.ts'

type Answer = { action?: string; content?: Record<string, unknown> }

export function elicit(
  message: string,
  properties: Record<string, unknown>,
  required: string[] = Object.keys(properties),
): InputRequest {
  const requestedSchema = { type: 'object', properties, required }
  return { method: 'elicitation/create', params: { message, requestedSchema } }
}

const STRING = { type: 'string' }
const NAME = elicit('What is your name?', { name: STRING })
const ROOTS: InputRequest = { method: 'roots/list', params: {} }

function sample(prompt: string, maxTokens = 100): InputRequest {
  return {
    method: 'sampling/createMessage',
    params: { messages: [{ role: 'user', content: { type: 'text', text: prompt } }], maxTokens },
  }
}

/** Asks, and when every answer is there shows what came. */
function asks(requests: Record<string, InputRequest>, label: string, state?: string): Handler {
  return ({ client }) => {
    const answers = client?.answers ?? {}
    const complete = Object.keys(requests).every((name) => isAnswer(answers[name]))
    if (!complete || client?.state !== (state ?? null)) return inputRequired(requests, state)
    return show(text(`${label}: ${JSON.stringify(answers)}`))
  }
}

/** An elicitation told as the suite wants it. */
function elicits(request: InputRequest, label: string): Handler {
  return ({ client }) => {
    const answer = client?.answers['answer'] as Answer | undefined
    if (!isAnswer(answer)) return inputRequired({ answer: request })
    return show(
      text(`${label}: action=${answer.action}, content=${JSON.stringify(answer.content ?? {})}`),
    )
  }
}

function isAnswer(answer: unknown): answer is Answer {
  return typeof answer === 'object' && answer !== null && !Array.isArray(answer)
}

const OPTIONS = ['option1', 'option2', 'option3']
const TITLED = [
  { const: 'value1', title: 'First' },
  { const: 'value2', title: 'Second' },
  { const: 'value3', title: 'Third' },
]

export const askingTools = [
  tool(
    'test_sampling',
    ({ client }, { prompt }) => {
      const answer = client?.answers['answer'] as { content?: { text?: string } } | undefined
      if (!isAnswer(answer)) return inputRequired({ answer: sample(String(prompt)) })
      return show(text(`LLM response: ${String((answer.content as { text?: string })?.text)}`))
    },
    { input: Type.Object({ prompt: Type.String() }) },
  ),
  tool(
    'test_elicitation',
    (ctx, { message }) =>
      elicits(elicit(String(message), { username: STRING, email: STRING }), 'User response')(
        ctx,
        {},
      ),
    { input: Type.Object({ message: Type.String() }) },
  ),
  tool(
    'test_elicitation_sep1034_defaults',
    elicits(
      elicit(
        'Defaults of every kind',
        {
          name: { type: 'string', default: 'John Doe' },
          age: { type: 'integer', default: 30 },
          score: { type: 'number', default: 95.5 },
          status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
          verified: { type: 'boolean', default: true },
        },
        [],
      ),
      'Elicitation completed',
    ),
  ),
  tool(
    'test_elicitation_sep1330_enums',
    elicits(
      elicit(
        'Enums of every kind',
        {
          untitledSingle: { type: 'string', enum: OPTIONS },
          titledSingle: { type: 'string', oneOf: TITLED },
          legacyEnum: {
            type: 'string',
            enum: ['opt1', 'opt2', 'opt3'],
            enumNames: ['Option One', 'Option Two', 'Option Three'],
          },
          untitledMulti: { type: 'array', items: { type: 'string', enum: OPTIONS } },
          titledMulti: { type: 'array', items: { anyOf: TITLED } },
        },
        [],
      ),
      'Elicitation completed',
    ),
  ),
  tool('test_missing_capability', asks({ model: sample('Say hello') }, 'Sampled')),
  tool('test_streaming_elicitation', asks({ user_name: NAME }, 'Elicited')),
  tool('test_input_required_result_elicitation', ({ client }) => {
    const answer = client?.answers['user_name'] as Answer | undefined
    const name = answer?.content?.['name']
    if (typeof name !== 'string') return inputRequired({ user_name: NAME })
    return show(text(`Hello, ${name}!`))
  }),
  tool(
    'test_input_required_result_sampling',
    asks({ capital_question: sample('What is the capital of France?') }, 'Sampled'),
  ),
  tool('test_input_required_result_list_roots', asks({ client_roots: ROOTS }, 'Roots')),
  tool(
    'test_input_required_result_request_state',
    asks({ confirm: elicit('Please confirm', { ok: { type: 'boolean' } }) }, 'state-ok', 'round-1'),
  ),
  tool(
    'test_input_required_result_tampered_state',
    asks({ confirm: elicit('Please confirm', { ok: { type: 'boolean' } }) }, 'state-ok', 'intact'),
  ),
  tool(
    'test_input_required_result_multiple_inputs',
    asks(
      { user_name: NAME, greeting: sample('Generate a greeting', 50), client_roots: ROOTS },
      'All answers',
      'multiple',
    ),
  ),
  tool('test_input_required_result_multi_round', ({ client }) => {
    const { state, answers } = client ?? { state: null, answers: {} }
    if (state === 'two' && isAnswer(answers['step2'])) return show(text('Both steps are done.'))
    if (state === 'one' && isAnswer(answers['step1']))
      return inputRequired(
        { step2: elicit('Step 2: What is your favorite color?', { color: STRING }) },
        'two',
      )
    return inputRequired({ step1: elicit('Step 1: What is your name?', { name: STRING }) }, 'one')
  }),
  tool('test_input_required_result_capabilities', ({ client }) => {
    const can = client?.capabilities ?? {}
    return inputRequired({
      ...(can['sampling'] !== undefined && { model: sample('Say hello') }),
      ...(can['elicitation'] !== undefined && { user_name: NAME }),
    })
  }),
]
