/** Prompts and resources of the suite. */
import { inputRequired, type Prompt, type Resource } from '#kernel'
import { elicit } from './asking.ts'
import { PNG, text } from './tool.ts'

const user = (content: ReturnType<typeof text>) => ({ role: 'user' as const, content })

export const prompts: Prompt[] = [
  {
    name: 'test_simple_prompt',
    title: 'Simple',
    description: 'A prompt without arguments.',
    arguments: [],
    messages: () => [user(text('This is a simple prompt for testing.'))],
  },
  {
    name: 'test_prompt_with_arguments',
    title: 'With arguments',
    description: 'A prompt with two arguments.',
    arguments: [
      { name: 'arg1', description: 'First', required: true, values: ['paris', 'park', 'party'] },
      { name: 'arg2', description: 'Second', required: true },
    ],
    messages: ({ arg1, arg2 }) => [
      user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
    ],
  },
  {
    name: 'test_prompt_with_embedded_resource',
    title: 'With a resource',
    description: 'A prompt that embeds a resource.',
    arguments: [{ name: 'resourceUri', description: 'Which one', required: true }],
    messages: ({ resourceUri }) => [
      user({
        type: 'resource',
        resource: {
          uri: resourceUri!,
          mimeType: 'text/plain',
          text: 'Embedded resource content for testing.',
        },
      }),
      user(text('Please process the embedded resource above.')),
    ],
  },
  {
    name: 'test_prompt_with_image',
    title: 'With an image',
    description: 'A prompt that holds an image.',
    arguments: [],
    messages: () => [
      user({ type: 'image', data: PNG, mimeType: 'image/png' }),
      user(text('Please analyze the image above.')),
    ],
  },
  {
    name: 'test_input_required_result_prompt',
    title: 'Asks first',
    description: 'A prompt that needs an answer.',
    arguments: [],
    messages: (_, { answers }) => {
      const answer = answers['user_context']
      if (typeof answer === 'object' && answer !== null)
        return [user(text(`Context: ${JSON.stringify(answer)}`))]
      return inputRequired({
        user_context: elicit('What should it be about?', { context: { type: 'string' } }),
      })
    },
  },
]

export const resources: Resource[] = [
  {
    uri: 'test://static-text',
    name: 'static_text',
    title: 'Text',
    description: 'A text.',
    mimeType: 'text/plain',
    read: (uri) => ({ uri, text: 'This is the content of the static text resource.' }),
  },
  {
    uri: 'test://static-binary',
    name: 'static_binary',
    title: 'Picture',
    description: 'A picture.',
    mimeType: 'image/png',
    read: (uri) => ({ uri, blob: PNG }),
  },
  {
    uri: 'test://watched-resource',
    name: 'watched_resource',
    title: 'Watched text',
    description: 'What clients ask to be told about.',
    mimeType: 'text/plain',
    read: (uri) => ({ uri, text: 'This is the content of the watched resource.' }),
  },
  {
    uri: 'test://template/{id}/data',
    name: 'template',
    title: 'Template',
    description: 'One document per id.',
    mimeType: 'application/json',
    read: (uri, { id }) => ({
      uri,
      text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
    }),
  },
]
