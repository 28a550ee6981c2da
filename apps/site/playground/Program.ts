/**
 * The program of an example: the code of the page above it, its own code, and what `// => value` at the end of a line
 * claims.
 */
import { modules } from "./Modules.ts"

/** The code of an example, and the code of the page above it, which runs without output. */
export interface Sources {
  readonly before: string
  readonly code: string
}

const claim = /^( *)([^/\s].*?) \/\/ => (.*)$/gm

const specifier = /(?<=\bfrom\s*|\bimport\s*\(?\s*)"([^".][^"]*)"/g

/** The imports of a program that the page does not have. */
export const missingModules = (code: string): ReadonlyArray<string> =>
  [...code.matchAll(specifier)].map(([, name = ""]) => name).filter((name) => modules[name] === undefined)

const withUrls = (code: string, origin: string): string =>
  code.replaceAll(specifier, (whole, name: string) =>
    modules[name] === undefined ? whole : JSON.stringify(origin + modules[name])
  )

/** The code above the example without its claims, and what starts the output. */
const above = ({ before }: Sources): string => `${before.replaceAll(/ \/\/ => .*$/gm, "")}\nglobalThis.__begin()\n`

/** The module that a worker runs; `compile` removes the types and keeps the lines. */
export const runnable = (sources: Sources, origin: string, compile: (code: string) => string): string => {
  const claimed = sources.code.replaceAll(
    claim,
    (_line, indent: string, left: string, right: string) =>
      `${indent};globalThis.__claim(${JSON.stringify(left)}, ${left}, ${right})`
  )
  return withUrls(compile(`${above(sources)}${claimed}\nexport {}`), origin)
}

/** An error's text, with its line in the example after the first line. The stack names the module by a `blob:` URL. */
export const located = (text: string, stack: string, sources: Sources): string => {
  const inMessage = / ?\((\d+):(\d+)\)$/
  const [, syntaxLine] = inMessage.exec(text) ?? []
  const [, stackLine] = /blob:\S+?:(\d+):\d+/.exec(stack) ?? []
  const line = Number(syntaxLine ?? stackLine) - (above(sources).split("\n").length - 1)
  return line > 0 ? text.replace(inMessage, "").replace(/$/m, ` (line ${line})`) : text
}

const importStatement = /^import\s[^;]*?from\s*"[^"]+"\n?/gm

const usesEnvironment = /\bcreateClientFromEnv\b|\bprocess\.env\b|(?<![.\w])fetch\(/

/** The service that the page has at `process.env.SIGNALBOX_BASE_URL`, for a test. */
const servicePrelude = [
  "const service = harness.createFake({ seed: 7 })",
  'vi.stubEnv("SIGNALBOX_API_KEY", service.apiKey)',
  'vi.stubEnv("SIGNALBOX_BASE_URL", service.baseUrl)',
  'vi.stubGlobal("fetch", service.fetch)'
]

const indented = (code: string): string => code.trim().replaceAll(/^(?=.)/gm, "  ")

/** The example as a test for vitest; `fault` is the code of the fault that every fake of the program starts with. */
export const vitestTest = ({ before, code }: Sources, fault: string | undefined): string => {
  const whole = `${before}\n${code}`
  const imports = [...new Set(whole.match(importStatement)?.map((line) => line.trim()))]
  const arm = (fake: string): string => (fault === undefined ? "" : `${fake}.faults.add(harness.${fault})`)
  const prelude = usesEnvironment.test(whole) ? [...servicePrelude, arm("service")].filter(Boolean) : []
  const body = whole
    .replaceAll(importStatement, "")
    .replaceAll(claim, "$1expect($2).toEqual($3)")
    .replaceAll(/^( *)const (\w+) = createFake\([^\n]*\)$/gm, (line, indent: string, name: string) =>
      fault === undefined ? line : `${line}\n${indent}${arm(name)}`
    )
  const vitest = ["expect", "it", "vi"].filter((name) => new RegExp(`\\b${name}\\b`).test(`${prelude.join()}it${body}`))
  const names = vitest.includes("it") ? vitest : ["it", ...vitest].sort()
  return [
    ...imports,
    ...(prelude.length > 0 || fault !== undefined ? ['import * as harness from "@signalbox/test-harness"'] : []),
    `import { ${names.join(", ")} } from "vitest"`,
    "",
    'it("runs as in the playground", { timeout: 60_000 }, async () => {',
    ...(prelude.length === 0 ? [] : [indented(prelude.join("\n")), ""]),
    indented(body.replaceAll(/\n{3,}/g, "\n\n")),
    "})",
    ""
  ].join("\n")
}
