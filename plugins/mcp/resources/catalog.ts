/** The resources of the service: prices, llms.txt, OpenAPI, and one example per tool. */
import type { CatalogSnapshot, Documents, Resource } from '#kernel'
import type { Naming } from '../../shared/mcp/contract.ts'
import { listedName, listedTools } from '../tools.ts'

const JSON_TYPE = 'application/json'

/** What can be read beside the tools; free, like every list. */
export function catalogResources(
  snapshot: CatalogSnapshot,
  documents: Documents,
  naming: Naming,
): readonly Resource[] {
  const document = (
    name: string,
    mimeType: string,
    title: string,
    description: string,
    text: () => string,
  ): Resource => {
    const uri = `coinop://${name}`
    return {
      uri,
      name,
      title,
      description,
      mimeType,
      read: () => ({ uri, mimeType, text: text() }),
    }
  }
  return [
    document('pricing', JSON_TYPE, 'Price table', 'What each skill costs, with its version', () =>
      documents.prices(),
    ),
    document(
      'llms_txt',
      'text/markdown',
      'llms.txt',
      'How to buy here, and everything for sale',
      () => documents.llms(),
    ),
    document('openapi', JSON_TYPE, 'OpenAPI', 'The same skills as HTTP routes', () =>
      documents.openapi(),
    ),
    document('examples', JSON_TYPE, 'Examples', 'An example call of each tool', () =>
      JSON.stringify({ examples: examplesOf(snapshot, naming) }),
    ),
  ]
}

/** One tools/call per tool whose skill has an example, as it would be sent. */
function examplesOf(snapshot: CatalogSnapshot, naming: Naming): object[] {
  return listedTools(snapshot).flatMap(({ mounted, tool }) => {
    // The skill's example is of its own input: a further tool may take another.
    const isOwn = tool.input === undefined || tool === mounted.tools[0]
    const example = tool.example ?? (isOwn ? mounted.skill.example : undefined)
    if (!example) return []
    const name = listedName(tool.name, naming)
    return [
      {
        tool: name,
        method: 'tools/call',
        params: { name, arguments: example.input },
        ...(example.output !== undefined && { structuredContent: example.output }),
      },
    ]
  })
}
