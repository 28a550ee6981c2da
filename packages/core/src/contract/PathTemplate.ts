/**
 * Paths with parameters: in `/v1/subscribers/:subscriberId`, `:subscriberId` stands for a value.
 */

const parameter = /(?<=\/):(\w+)/g

/** The names of the parameters of a path, in their order. */
export const parametersIn = (path: string): ReadonlyArray<string> =>
  Array.from(path.matchAll(parameter), ([, name = ""]) => name)

/** A path with its parameters filled in: each `:name` becomes the percent-encoded value. */
export const fillPath = (path: string, params: Readonly<Record<string, unknown>>): string =>
  path.replace(parameter, (_, name: string) => encodeURIComponent(String(params[name])))

/** A path with one value for all parameters, as the conventions of OpenTelemetry write it. */
export const routeOf = (path: string): string => path.replace(parameter, "{$1}")

/** Whether a URL parser keeps a path unchanged: it has no query, no dot segments, and no character to encode. */
export const isPlainPath = (path: string): boolean => path[0] === "/" && new URL(`http://h${path}`).pathname === path
