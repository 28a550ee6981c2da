import type { ArrayEncoding } from "../transport/Connection.ts"

const lonelySurrogate = /\p{Surrogate}/u

/** Whether a string can be a segment of a path. */
export const isEncodable = (segment: string): boolean => !lonelySurrogate.test(segment)

/** A path with its parameters filled in: each `:name` becomes the percent-encoded value. */
export const fillPath = (path: string, params: Readonly<Record<string, unknown>>): string =>
  path.replace(/:([A-Za-z]+)/g, (_, name: string) => encodeURIComponent(String(params[name])))

/** The parameter name of each element of an array; `comma` joins all elements into one value. */
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

/** The query string with its question mark, without absent parameters; empty when there are no parameters. */
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
