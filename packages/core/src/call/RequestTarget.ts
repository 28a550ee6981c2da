import type { ArrayEncoding } from "../transport/Connection.ts"

const lonelySurrogate = /\p{Surrogate}/u

/** Whether a text can be a segment of a path. */
export const isEncodable = (segment: string): boolean => !lonelySurrogate.test(segment)

/** A path with its parameters in place: each `:name` becomes the percent-encoded value. */
export const fillPath = (path: string, params: Readonly<Record<string, unknown>>): string =>
  path.replace(/:([A-Za-z]+)/g, (_, name: string) => encodeURIComponent(String(params[name])))

/** How each value of several is named; `comma` makes one value of them all. */
const namings: Readonly<Record<Exclude<ArrayEncoding, "comma">, (name: string, index: number) => string>> = {
  repeat: (name) => name,
  brackets: (name) => `${name}[]`,
  indices: (name, index) => `${name}[${index}]`
}

const addSeveral = (
  query: URLSearchParams,
  name: string,
  values: ReadonlyArray<unknown>,
  encoding: ArrayEncoding
): void => {
  // An array without elements is a condition that no repeated key can express: no context at all (`contextKeys=`).
  if (values.length === 0 && name !== "contextKeys") return
  if (values.length === 0 || encoding === "comma") return query.append(name, values.join(","))
  for (const [index, value] of values.entries()) query.append(namings[encoding](name, index), String(value))
}

/** The query with its question mark; empty when there is nothing to ask. What the caller did not give is not in it. */
export const queryOf = (values: Readonly<Record<string, unknown>>, encoding: ArrayEncoding): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue
    if (Array.isArray(value)) addSeveral(query, name, value, encoding)
    else query.append(name, String(value))
  }
  const text = query.toString()
  return text === "" ? "" : `?${text}`
}
