/**
 * The array types of PostgreSQL, known beforehand. postgres.js (3.4.9) asks each new connection for
 * them in a query that belongs to no call: when the connection dies under it, the rejection reaches
 * nobody (`fetchArrayTypes` in its connection.js) and a process without a handler for such ends. The
 * numbers of built-in types are the same in every server (pg_type.dat). An array of a type that a
 * database made itself, an enum say, is read as its text: cast it to text[].
 */
import { parse } from 'postgres-array'
import { assert } from '#kernel/host'

/** [element, array]; box, whose delimiter is another, is left out. */
const ARRAY_TYPES: readonly (readonly [element: number, array: number])[] = [
  [16, 1000], // bool
  [17, 1001], // bytea
  [18, 1002], // "char"
  [19, 1003], // name
  [20, 1016], // int8
  [21, 1005], // int2
  [23, 1007], // int4
  [25, 1009], // text
  [26, 1028], // oid
  [114, 199], // json
  [650, 651], // cidr
  [700, 1021], // float4
  [701, 1022], // float8
  [829, 1040], // macaddr
  [869, 1041], // inet
  [1042, 1014], // bpchar
  [1043, 1015], // varchar
  [1082, 1182], // date
  [1083, 1183], // time
  [1114, 1115], // timestamp
  [1184, 1185], // timestamptz
  [1186, 1187], // interval
  [1266, 1270], // timetz
  [1700, 1231], // numeric
  [2950, 2951], // uuid
  [3802, 3807], // jsonb
  [3904, 3905], // int4range
  [3906, 3907], // numrange
  [3908, 3909], // tsrange
  [3910, 3911], // tstzrange
  [3912, 3913], // daterange
  [3926, 3927], // int8range
]

type Parse = (text: string) => unknown
type Serialize = (value: unknown) => unknown

/** What a postgres.js client knows of types, by their numbers. */
interface TypeOptions {
  parsers: Record<number, Parse>
  serializers: Record<number, Serialize>
}

/** Teaches a client the arrays of the types it knows; its `fetch_types` is to be off. */
export function addArrayTypes(options: TypeOptions): void {
  for (const [element, array] of ARRAY_TYPES) {
    const parseElement = options.parsers[element]
    options.parsers[array] = (text) =>
      parseElement === undefined ? parse(text) : parse(text, parseElement)
    options.serializers[array] = (value) =>
      Array.isArray(value) ? arrayText(value, options.serializers[element]) : value
  }
}

/**
 * The text of an array as PostgreSQL reads it (its manual, 8.15.2): every element quoted, null
 * bare. An undefined element is an AssertionError: it is a forgotten value.
 */
export function arrayText(values: readonly unknown[], serialize: Serialize = String): string {
  const elements = values.map((value) => {
    assert(value !== undefined, 'every element of an array parameter has a value')
    if (value === null) return 'null'
    if (Array.isArray(value)) return arrayText(value, serialize)
    return `"${String(serialize(value)).replaceAll(/["\\]/g, String.raw`\$&`)}"`
  })
  return `{${elements.join(',')}}`
}
