/**
 * An OpenAPI document as operations with parameters, a body and responses, the same for Swagger
 * 2.0 and OpenAPI 3.0 to 3.2. Every part keeps the pointer at which a reader finds it.
 */
import type { Place } from '../document.ts'
import type { JsonMap } from '../pointer.ts'

export interface Content {
  mediaType: string
  schema: Place | null
  pointer: string
}
export interface Parameter {
  in: string
  name: string
  required: boolean
  /** Declared for the whole path, not for this operation. */
  shared: boolean
  raw: JsonMap
  pointer: string
  schema: Place | null
}
export interface Body {
  required: boolean
  content: Map<string, Content>
  pointer: string
}
export interface Header {
  name: string
  required: boolean
  schema: Place | null
  pointer: string
  raw: unknown
}
export interface Response {
  status: string
  content: Map<string, Content>
  headers: Map<string, Header>
  pointer: string
}
export interface Operation {
  method: string
  path: string
  /** 'GET /pets/{id}'. */
  label: string
  raw: JsonMap
  pointer: string
  parameters: Parameter[]
  body: Body | null
  responses: Map<string, Response>
  callbacks: Map<string, Operation>
}
export interface PathItem {
  path: string
  pointer: string
  /** The reference, when it is described in another document. */
  external: string | undefined
  operations: Map<string, Operation>
}
/** An operation of both documents. */
export interface OperationPair {
  before: Operation
  after: Operation
  /** Name of each path parameter of `before` by its name in `after`. */
  renamed: ReadonlyMap<string, string>
}
