/**
 * Functions that are compiled together with their file: Node's compile cache keeps no others, and those would be compiled
 * anew at every start, when they are first called.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { parseAst } from "rolldown/parseAst"

interface Range {
  readonly start: number
  readonly end: number
}

/** The places of the function expressions and arrow functions within a part of a syntax tree; methods are neither. */
const functionsIn = (node: unknown, isMethod = false): ReadonlyArray<Range> => {
  if (typeof node !== "object" || node === null) return []
  const { type, kind, method } = node as { readonly [key in "type" | "kind" | "method"]?: unknown }
  const hasMethod = type === "MethodDefinition" || method === true || kind === "get" || kind === "set"
  const inner = Object.entries(node).flatMap(([key, value]) => functionsIn(value, hasMethod && key === "value"))
  const isFunction = type === "ArrowFunctionExpression" || (type === "FunctionExpression" && !isMethod)
  // The tree comes from the parser, which gives each node a place.
  return isFunction ? [node as Range, ...inner] : inner
}

/** The same code with its functions in parentheses: V8 compiles such a function at once, as one that is about to be called. */
export const withEagerFunctions = (code: string): string => {
  const parentheses = functionsIn(parseAst(code)).flatMap(({ end, start }) => [
    { at: start, text: "(" },
    { at: end, text: ")" }
  ])
  let eager = ""
  let from = 0
  for (const { at, text } of parentheses.toSorted((one, other) => one.at - other.at)) {
    eager += code.slice(from, at) + text
    from = at
  }
  return eager + code.slice(from)
}

/** Makes the functions of bundled files eager. */
export const makeFunctionsEager = (files: Iterable<string>): void => {
  for (const file of files) writeFileSync(file, withEagerFunctions(readFileSync(file, "utf8")))
}
