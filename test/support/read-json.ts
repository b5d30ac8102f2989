/** The JSON of a body as a gateway reads it. */
import { readLongJson } from '../../host/json-slices/index.ts'
import { readJson as read, type ParsedJson } from '../../kernel/schema/json.ts'

export function readJson(
  bytes: Uint8Array,
  share: string,
  knownMembers: ReadonlySet<string> | null = null,
): ParsedJson | Promise<ParsedJson> {
  return read(bytes, share, readLongJson, knownMembers)
}
