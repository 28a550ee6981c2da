/**
 * Parses queries and forms whose names may have brackets: `a[]=1`, `a[0]=1`, `a[b]=1`.
 */

/** The value of a name: a string, several of them, or an object. */
export type QueryValue = string | ReadonlyArray<QueryValue> | { readonly [name: string]: QueryValue }

/** One `name=value`; the names in brackets are its path. */
export interface QueryEntry {
  readonly name: string
  readonly path: ReadonlyArray<string>
  readonly value: string
}

/** A string that is not valid percent-encoding stands for itself. */
const decoded = (text: string): string => {
  if (!/[%+]/u.test(text)) return text
  const spaced = text.replaceAll("+", " ")
  try {
    return decodeURIComponent(spaced)
  } catch {
    return spaced
  }
}

const deepest = 5

const pathIn = (brackets: string): ReadonlyArray<string> => {
  const path = [...brackets.matchAll(/\[([^[\]]*)\]/gu)].map(([, name = ""]) => name)
  // A client chooses how deep it nests; the rest is one name.
  return path.length > deepest ? [...path.slice(0, deepest), path.slice(deepest).join("][")] : path
}

const entryOf = (part: string): QueryEntry => {
  const mark = part.indexOf("=")
  const key = decoded(mark < 0 ? part : part.slice(0, mark))
  const value = mark < 0 ? "" : decoded(part.slice(mark + 1))
  const match = /^([^[]+)((?:\[[^[\]]*\])+)$/u.exec(key)
  return match === null ? { name: key, path: [], value } : { name: match[1] ?? "", path: pathIn(match[2] ?? ""), value }
}

export const queryEntries = (text: string): ReadonlyArray<QueryEntry> =>
  text
    .split("&")
    .filter((part) => part !== "")
    .map(entryOf)

const isIndex = (key: string | undefined, limit: number): boolean =>
  key === undefined || key === "" || (/^\d+$/u.test(key) && Number(key) < limit)

type Part = Pick<QueryEntry, "path" | "value">

/** The parts by the next name of their path; a part without one has the next free index. */
const grouped = (parts: ReadonlyArray<Part>): ReadonlyMap<string, ReadonlyArray<Part>> => {
  const groups = new Map<string, Array<Part>>()
  for (const { path, value } of parts) {
    const [key = "", ...rest] = path
    const name = key === "" ? String(groups.size) : key
    if (name !== "__proto__") groups.set(name, [...(groups.get(name) ?? []), { path: rest, value }])
  }
  return groups
}

/** The value of all parts of a name; a list that is longer than the limit becomes an object. */
export const nestedValue = (parts: ReadonlyArray<Part>, limit = Infinity): QueryValue => {
  const [first] = parts
  if (first !== undefined && parts.length === 1 && first.path.length === 0) return first.value
  if (parts.length <= limit && parts.every(({ path }) => isIndex(path[0], limit))) {
    return [...grouped(parts)]
      .toSorted(([one], [other]) => Number(one) - Number(other))
      .flatMap(([, group]) =>
        group.every(({ path }) => path.length === 0) ? group.map(({ value }) => value) : [nestedValue(group, limit)]
      )
  }
  return nestedObject(parts, limit)
}

const nestedObject = (parts: ReadonlyArray<Part>, limit = Infinity): { readonly [name: string]: QueryValue } =>
  Object.fromEntries([...grouped(parts)].map(([name, group]) => [name, nestedValue(group, limit)]))

/** A form as an object, like a JSON body. */
export const parseForm = (text: string): { readonly [name: string]: QueryValue } =>
  nestedObject(queryEntries(text).map(({ name, path, value }) => ({ path: [name, ...path], value })))
