/**
 * Runs one program, away from the page: a program that never ends can be stopped. Afterwards its fakes stay, for the
 * inspector.
 *
 * A service is at `process.env.SIGNALBOX_BASE_URL`: a fake with demo data. Nothing else can be reached.
 */
import { Fault, type Fake } from "@signalbox/test-harness"
import { transform } from "sucrase"
import { makeConsole } from "./Console.ts"
import { arm, createFake, fakes } from "./Fake.ts"
import { inspect, looksEqual } from "./Inspect.ts"
import { showIn } from "./Live.ts"
import { modules } from "./Modules.ts"
import { located, missingModules, runnable } from "./Program.ts"
import type { LineKind, RunReport, RunRequest } from "./Protocol.ts"
import { trackTimers } from "./Timers.ts"

const report = (message: RunReport): void => postMessage(message)

const claim = (expression: string, actual: unknown, expected: unknown): void =>
  report({
    _tag: "Claim",
    expression,
    expected: inspect(expected),
    actual: inspect(actual),
    holds: looksEqual(actual, expected)
  })

const compile = (code: string): string =>
  transform(code, { transforms: ["typescript"], disableESTransforms: true }).code

/** The fault that a line of code makes; the page writes that line. */
const faultOf = (code: string): Fault.Fault => new Function("Fault", `return ${code}`)(Fault)

/** The service of the environment, made when a program uses it first. */
const lazyService = () => {
  let made: Fake | undefined
  const service = (): Fake => (made ??= createFake({ seed: 7 }))
  return {
    env: {
      get SIGNALBOX_API_KEY() {
        return service().apiKey
      },
      get SIGNALBOX_BASE_URL() {
        return service().baseUrl
      }
    },
    fetch: (...request: Parameters<typeof fetch>) => service().fetch(...request)
  }
}

const run = async (request: RunRequest, inspector: MessagePort): Promise<void> => {
  if (request.fault !== undefined) arm(faultOf(request.fault))
  const { env, fetch } = lazyService()
  const timers = trackTimers()
  let isMuted = true
  let failed = false
  const write = (kind: LineKind, text: string): void => {
    if (!isMuted) report({ _tag: "Line", kind, text })
  }
  const fail = (error: unknown): void => {
    failed = true
    const stack = error instanceof Error ? (error.stack ?? "") : ""
    report({ _tag: "Line", kind: "error", text: located(inspect(error), stack, request) })
  }
  addEventListener("error", (event) => {
    event.preventDefault()
    fail(event.error ?? event.message)
  })
  addEventListener("unhandledrejection", (event) => {
    event.preventDefault()
    fail(event.reason)
  })
  const show = showIn(inspector, fakes)
  Object.assign(globalThis, timers.functions, {
    process: { env },
    fetch,
    console: makeConsole(write),
    __claim: claim,
    __begin: () => {
      isMuted = false
    }
  })
  const [missing] = missingModules(request.code)
  try {
    if (missing !== undefined) {
      throw new Error(`this page has no module "${missing}"; it has ${Object.keys(modules).join(", ")}`)
    }
    const module = new Blob([runnable(request, location.origin, compile)], { type: "text/javascript" })
    await import(/* @vite-ignore */ URL.createObjectURL(module))
  } catch (error) {
    fail(error)
  }
  if (!(await timers.ended())) write("warn", "Timers are still running; the output ends here.")
  show()
  report({ _tag: "Done", failed })
}

addEventListener(
  "message",
  ({ data, ports: [inspector] }: MessageEvent<RunRequest>) => {
    if (inspector !== undefined) void run(data, inspector)
  },
  { once: true }
)
