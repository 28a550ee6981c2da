import { assert, it } from "@effect/vitest"
import { Fault } from "@signalbox/test-harness"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { appendFileSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import { expect } from "vitest"
import { clientLayer, makeService, tempFolder, tokenLines, write } from "../test/TestService.ts"
import * as Runs from "./index.ts"

const once = { times: 1, operation: "credentials.upsert" } as const

/** Prepares a run in a folder, and returns its name in the operations. */
type Prepare = (
  folder: string,
  service: ReturnType<typeof makeService>
) => Effect.Effect<string, unknown, Runs.RunServices>

const stopped: Prepare = (folder, { environment }) =>
  Effect.suspend(() => {
    const input = write(folder, "tokens.ndjson", tokenLines(3))
    environment.faults.add(Fault.status(401, once))
    return Effect.as(Effect.flip(Runs.startImport({ input, service: "http://service.test", concurrency: 1 })), input)
  })

const done: Prepare = (folder, { environment }) =>
  Effect.suspend(() => {
    const input = write(folder, "tokens.ndjson", `${tokenLines(3)}{\n`)
    environment.faults.add(Fault.status(404, once))
    return Effect.as(Runs.startImport({ input, validate: "during", concurrency: 1 }), input)
  })

const exported: Prepare = (folder) => {
  const output = join(folder, "events.ndjson")
  return Effect.as(Runs.startExport({ output }), output)
}

const states: Readonly<Record<string, Prepare>> = {
  absent: (folder) => Effect.succeed(join(folder, "tokens.ndjson")),
  "an empty folder": (folder) => {
    mkdirSync(join(folder, "empty"))
    return Effect.succeed(join(folder, "empty"))
  },
  "not a journal": (folder) => Effect.succeed(write(folder, "x.journal", "{}\n")),
  interrupted: stopped,
  "interrupted, by its folder": (folder, service) => Effect.as(stopped(folder, service), folder),
  "interrupted, by its id": (folder, service) =>
    Effect.map(Effect.andThen(stopped(folder, service), Runs.status(folder)), ({ id }) => id),
  "interrupted on another machine, by its id in its folder": (folder, service) =>
    Effect.map(Effect.andThen(stopped(folder, service), Runs.status(folder)), ({ id }) => {
      process.env["XDG_STATE_HOME"] = `${folder}-state/other`
      return join(folder, id)
    }),
  "interrupted, then changed": (folder, service) =>
    Effect.tap(stopped(folder, service), (input) => Effect.sync(() => appendFileSync(input, "\n"))),
  paused: (folder, service) => Effect.tap(stopped(folder, service), (input) => Runs.pause(input)),
  cancelled: (folder, service) => Effect.tap(stopped(folder, service), (input) => Runs.cancel(input)),
  finished: done,
  "finished, then changed": (folder, service) =>
    Effect.tap(done(folder, service), (input) => Effect.sync(() => appendFileSync(input, "\n"))),
  exported
}

const stateOf = ({ counts, state }: Runs.RunStatus) => `${state} ${JSON.stringify(counts)}`

type Operation = (run: string, folder: string) => Effect.Effect<string, Runs.RunError, Runs.RunServices>

const reads: Readonly<Record<string, Operation>> = {
  status: (run) => Effect.map(Runs.status(run), stateOf),
  "resume elsewhere": (run) => Effect.map(Runs.resume(run, { service: "http://other.test" }), stateOf),
  report: (run) =>
    Effect.map(Stream.runCollect(Runs.report(run)), (lines) =>
      lines.map(({ line, message = "", outcome }) => `${line} ${outcome} ${message}`.trimEnd()).join(", ")
    ),
  "write failed lines": (run, folder) =>
    Effect.map(Runs.failedInput(run, join(folder, "corrections.ndjson")), (count) => `${count} lines`)
}

const writes: Readonly<Record<string, Operation>> = {
  resume: (run) => Effect.map(Runs.resume(run), stateOf),
  "retry failed": (run) => Effect.map(Runs.retryFailed(run), stateOf),
  pause: (run) => Effect.map(Effect.scoped(Runs.pause(run)), stateOf),
  cancel: (run) => Effect.map(Effect.scoped(Runs.cancel(run)), stateOf),
  remove: (run) => Effect.map(Runs.remove(run), stateOf)
}

it.live(
  "each operation on a run in each state has its result, or names the mistake",
  () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      for (const [state, prepare] of Object.entries(states)) {
        lines.push(`# ${state}`)
        // Operations that change a run have one each.
        for (const some of [reads, ...Object.entries(writes).map((each) => Object.fromEntries([each]))]) {
          const folder = yield* tempFolder
          const service = makeService({ data: "demo", events: 3 })
          const client = Effect.provide(clientLayer(service.environment.apiKey, service.fetch))
          const run = yield* client(prepare(folder, service))
          for (const [name, operation] of Object.entries(some)) {
            const outcome = yield* client(operation(run, folder)).pipe(
              Effect.catch(({ _tag, message }) => Effect.succeed(`${_tag}: ${message}`))
            )
            lines.push(
              `${name}: ${outcome}`
                .replaceAll(folder, "FOLDER")
                .replaceAll(/\b(import|export)-\d{8}T\d{6}Z-[\da-f]{8}/gu, "$1-RUN")
            )
          }
        }
      }
      assert.notInclude(lines.join("\n"), "token-of-")
      yield* Effect.promise(() => expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("../test/operations.txt"))
    }).pipe(Effect.scoped),
  60_000
)
