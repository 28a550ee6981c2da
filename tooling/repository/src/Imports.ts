/**
 * The imports of a source file, types and dynamic imports included.
 */
import { parseSync } from "oxc-parser"

const literal = (expression: string): ReadonlyArray<string> => {
  const text = /^(["'`])(.*)\1$/su.exec(expression)?.[2]
  return text === undefined ? [] : [text]
}

/**
 * The module specifiers that a source text imports or re-exports, in order of appearance: static imports, type
 * imports, re-exports, and dynamic imports of a literal. The lint rules forbid `import()` in types.
 */
export const importsOf = (file: string, text: string): ReadonlyArray<string> => {
  const { errors, module } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file} does not parse: ${errors[0]?.message}`)
  const reexported = module.staticExports
    .flatMap(({ entries }) => entries)
    .flatMap(({ moduleRequest }) => moduleRequest?.value ?? [])
  return [
    ...new Set([
      ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
      ...reexported,
      ...module.dynamicImports.flatMap(({ moduleRequest: { end, start } }) => literal(text.slice(start, end)))
    ])
  ]
}
