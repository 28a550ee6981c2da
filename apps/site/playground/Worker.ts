/**
 * Runs one example, away from the page: an example that never ends can be stopped.
 *
 * A service is at `process.env.SIGNALBOX_BASE_URL`: a fake with demo data. Nothing else can be reached.
 */
import { timeline } from "@signalbox/test-harness"
import { transform } from "sucrase"
import { arm, createFake, fakes } from "./Fake.ts"
import { inspect, looksEqual } from "./Inspect.ts"
import { withUrls } from "./Modules.ts"
import type { RunReport, RunRequest } from "./Protocol.ts"

const report = (message: RunReport): void => postMessage(message)

const line = (kind: "error" | "log" | "value", values: ReadonlyArray<unknown>): void =>
  report({ _tag: "Line", kind, text: values.map(inspect).join(" ") })

const claim = (expression: string, actual: unknown, expected: unknown): void =>
  report({
    _tag: "Claim",
    expression,
    expected: inspect(expected),
    actual: inspect(actual),
    holds: looksEqual(actual, expected)
  })

const quoted = (text: string): string => JSON.stringify(text)

/** Reports what an expression with a comment `// => value` comes to. */
const withClaims = (code: string): string =>
  code.replaceAll(
    /^( *)([^/\n]\S.*?) \/\/ => (.*)$/gm,
    (_line, indent: string, left: string, right: string) =>
      `${indent};globalThis.__claim(${quoted(left)}, ${left}, ${right})`
  )

const withoutClaims = (code: string): string => code.replaceAll(/ \/\/ => .*$/gm, "")

const program = ({ before, code }: RunRequest): string => {
  const text = `${withoutClaims(before)}\nglobalThis.__begin()\n${withClaims(code)}\nexport {}`
  return withUrls(transform(text, { transforms: ["typescript"], disableESTransforms: true }).code, location.origin)
}

const run = async (request: RunRequest): Promise<void> => {
  arm(request.fault)
  const service = createFake({ seed: 7 })
  let isMuted = true
  Object.assign(globalThis, {
    process: { env: { SIGNALBOX_API_KEY: service.apiKey, SIGNALBOX_BASE_URL: service.baseUrl } },
    fetch: service.fetch,
    console: {
      ...console,
      log: (...values: ReadonlyArray<unknown>) => isMuted || line("log", values),
      error: (...values: ReadonlyArray<unknown>) => line("error", values)
    },
    __claim: claim,
    __begin: () => {
      isMuted = false
    }
  })
  let failed = false
  try {
    await import(/* @vite-ignore */ URL.createObjectURL(new Blob([program(request)], { type: "text/javascript" })))
  } catch (error) {
    failed = true
    line("error", [error])
  }
  const used = fakes.filter((fake) => fake.journal.entries().length > 0)
  report({ _tag: "Done", failed, timeline: used.map((fake) => timeline(fake)).join("\n\n") })
}

addEventListener("message", ({ data }: MessageEvent<RunRequest>) => void run(data), { once: true })
