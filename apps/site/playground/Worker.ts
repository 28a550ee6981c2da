/**
 * Runs one example, away from the page: an example that never ends can be stopped.
 *
 * A service is at `process.env.SIGNALBOX_BASE_URL`: a fake with demo data. Nothing else can be reached.
 */
import { timeline } from "@signalbox/test-harness"
import { transform } from "sucrase"
import { arm, createFake, fakes } from "./Fake.ts"
import { formatted, inspect, looksEqual, table } from "./Inspect.ts"
import { missingModules, modules, withUrls } from "./Modules.ts"
import type { RunReport, RunRequest } from "./Protocol.ts"

const report = (message: RunReport): void => postMessage(message)

const line = (kind: "error" | "log" | "value", values: ReadonlyArray<unknown>): void =>
  report({ _tag: "Line", kind, text: formatted(values) })

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

/** The code above the example, in the program. */
const above = ({ before }: RunRequest): string => `${withoutClaims(before)}\nglobalThis.__begin()\n`

const program = (request: RunRequest): string => {
  const text = `${above(request)}${withClaims(request.code)}\nexport {}`
  return withUrls(transform(text, { transforms: ["typescript"], disableESTransforms: true }).code, location.origin)
}

/** The error with its line in the example. */
const located = (error: unknown, request: RunRequest): string => {
  const offset = above(request).split("\n").length - 1
  const text = inspect(error)
  const inMessage = / ?\((\d+):(\d+)\)$/
  const [, syntaxLine] = inMessage.exec(text) ?? []
  const [, stackLine] = (error instanceof Error && /blob:\S+?:(\d+):\d+/.exec(error.stack ?? "")) || []
  const place = Number(syntaxLine ?? stackLine) - offset
  return place > 0 ? `${text.replace(inMessage, "")} (line ${place})` : text
}

const longestWaitMs = 5_000

/** Waits for the timers that the example started; one that starts itself again is left alone after a while. */
const trackTimers = () => {
  const pending = new Set<number>()
  const start = globalThis.setTimeout.bind(globalThis)
  const stop = globalThis.clearTimeout.bind(globalThis)
  const set = (
    callback: (...values: ReadonlyArray<unknown>) => void,
    delay?: number,
    ...values: ReadonlyArray<unknown>
  ) => {
    const timer: number = Number(
      start(() => {
        pending.delete(timer)
        callback(...values)
      }, delay)
    )
    pending.add(timer)
    return timer
  }
  const clear = (timer?: number) => {
    if (timer !== undefined) pending.delete(timer)
    stop(timer)
  }
  const ended = async () => {
    const until = performance.now() + longestWaitMs
    while (pending.size > 0 && performance.now() < until) await new Promise((resolve) => start(resolve, 10))
  }
  return { set, clear, ended }
}

const run = async (request: RunRequest): Promise<void> => {
  arm(request.fault)
  const service = createFake({ seed: 7 })
  let isMuted = true
  const log = (...values: ReadonlyArray<unknown>) => isMuted || line("log", values)
  const timers = trackTimers()
  Object.assign(globalThis, {
    process: { env: { SIGNALBOX_API_KEY: service.apiKey, SIGNALBOX_BASE_URL: service.baseUrl } },
    fetch: service.fetch,
    console: {
      ...console,
      log,
      info: log,
      debug: log,
      warn: log,
      table: (rows: unknown) => isMuted || report({ _tag: "Line", kind: "log", text: table(rows) }),
      error: (...values: ReadonlyArray<unknown>) => line("error", values)
    },
    setTimeout: timers.set,
    clearTimeout: timers.clear,
    __claim: claim,
    __begin: () => {
      isMuted = false
    }
  })
  let failed = false
  const [missing] = missingModules(request.code)
  try {
    if (missing !== undefined) {
      throw new Error(`this page has no module "${missing}"; it has ${Object.keys(modules).join(", ")}`)
    }
    await import(/* @vite-ignore */ URL.createObjectURL(new Blob([program(request)], { type: "text/javascript" })))
  } catch (error) {
    failed = true
    report({ _tag: "Line", kind: "error", text: located(error, request) })
  }
  await timers.ended()
  const used = fakes.filter((fake) => fake.journal.entries().length > 0)
  report({ _tag: "Done", failed, timeline: used.map((fake) => timeline(fake)).join("\n\n") })
}

addEventListener("message", ({ data }: MessageEvent<RunRequest>) => void run(data), { once: true })
