/** Fixtures that answer at once: blocks of every kind, errors, progress, log messages. */
import { Type } from 'typebox'
import { fail } from '#kernel'
import { PNG, show, text, tool, WAV } from './tool.ts'

const pause = () => Bun.sleep(50)

export const contentTools = [
  tool('test_simple_text', () => show(text('This is a simple text response for testing.'))),
  tool('test_image_content', () => show({ type: 'image', data: PNG, mimeType: 'image/png' })),
  tool('test_audio_content', () => show({ type: 'audio', data: WAV, mimeType: 'audio/wav' })),
  tool('test_embedded_resource', () =>
    show({
      type: 'resource',
      resource: {
        uri: 'test://embedded-resource',
        mimeType: 'text/plain',
        text: 'This is an embedded resource content.',
      },
    }),
  ),
  tool('test_multiple_content_types', () =>
    show(
      text('Multiple content types test:'),
      { type: 'image', data: PNG, mimeType: 'image/png' },
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: '{"test":"data","value":123}',
        },
      },
    ),
  ),
  tool('test_error_handling', () =>
    fail('PROCESSING_FAILURE', 'This tool intentionally returns an error for testing'),
  ),
  tool('test_custom_headers', (_, { region }) => show(text(`Region: ${String(region)}`)), {
    input: Type.Object({ region: Type.String({ 'x-mcp-header': 'Region' }) }),
  }),
  tool('test_tool_with_progress', async (ctx) => {
    for (const progress of [0, 50, 100]) {
      ctx.progress({ progress, total: 100 })
      await pause()
    }
    return show(text('Progress was reported.'))
  }),
  tool(
    'test_tool_with_logging',
    async ({ client }) => {
      client?.log('info', 'Tool execution started')
      await pause()
      client?.log('info', 'Tool processing data')
      await pause()
      client?.log('info', 'Tool execution completed')
      return show(text('Log messages were sent.'))
    },
    { logs: true },
  ),
  tool(
    'test_logging_tool',
    ({ client }) => {
      client?.log('info', 'A message for those who asked for it')
      return show(text('A log message was sent if it was asked for.'))
    },
    { logs: true },
  ),
]
