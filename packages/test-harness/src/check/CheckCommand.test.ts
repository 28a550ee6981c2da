import { defineOperation } from "@signalbox/core/DeclaredOperation"
import { assert, describe, it } from "@effect/vitest"
import { writeToken } from "../environment/ReproductionToken.ts"
import { checkCommand } from "../server.ts"
import type { CheckOptions } from "./CheckClient.ts"

/** A program in JavaScript that gets each call as a line. */
const program = (...onLine: ReadonlyArray<string>): ReadonlyArray<string> => [
  process.execPath,
  "-e",
  `const { SIGNALBOX_API_KEY: key, SIGNALBOX_BASE_URL: url, SIGNALBOX_VENDOR: vendor } = process.env
   require("node:readline").createInterface({ input: process.stdin }).on("line", async (line) => {
     const call = JSON.parse(line)
     const list = () => fetch(url + "/v1/notifications?limit=" + call.limit, { headers: { authorization: "ApiKey " + key } })
     ${onLine.join("\n")}
   })`
]

const listing = writeToken({ data: "demo", events: 5, calls: [{ operation: "events.list", limit: 5 }] })

const failure = async (command: ReadonlyArray<string>, options: CheckOptions = {}): Promise<string> => {
  const error: unknown = await checkCommand(command, { runs: 1, deadlineMs: 2_000, ...options }).then(
    () => undefined,
    (thrown: unknown) => thrown
  )
  assert.instanceOf(error, Error)
  return (error as Error).message
}

describe("checkCommand", () => {
  it("passes each call to the program, and reads its outcome from the line that has one", async () => {
    const command = program(
      `console.log("[debug] " + call.operation + " within " + call.deadlineMs)`,
      `const response = await list()`,
      `const { data } = await response.json()`,
      `console.log(JSON.stringify({ outcome: vendor === "service" ? "ok" : "failed", ids: data.map(({ _id }) => _id) }))`
    )
    const report = await checkCommand(command, { reproduce: listing, deadlineMs: 20_000 })
    assert.deepStrictEqual(report.outcomes, { ok: 1, failed: 0, unknown: 0, none: 0 })
  })

  it("passes the calls of declared operations, too, and serves them", async () => {
    const storeTopic = defineOperation({
      name: "topics.store",
      method: "PUT",
      path: "/v1/topics/:topicKey",
      idempotent: true,
      examples: [{ input: { path: { topicKey: "news" }, body: { name: "News" } }, output: { key: "news" } }]
    })
    const call = { operation: "declared", name: "topics.store", method: "PUT", path: "/v1/topics/:topicKey" } as const
    const [{ input, output } = { input: {}, output: {} }] = storeTopic.examples ?? []
    const reproduce = writeToken({ calls: [{ ...call, idempotent: true, secrets: [], input, output }] })
    const command = program(
      `const { body, path } = call.input`,
      `const headers = { authorization: "ApiKey " + key, "content-type": "application/json" }`,
      `const to = url + call.path.replace(":topicKey", path.topicKey)`,
      `const response = await fetch(to, { method: call.method, headers, body: JSON.stringify(body) })`,
      `const stored = await response.json()`,
      `console.log(JSON.stringify({ outcome: stored.key === "news" ? "ok" : "failed", status: response.status }))`
    )
    const report = await checkCommand(command, { reproduce, deadlineMs: 20_000 })
    assert.deepStrictEqual(report.outcomes, { ok: 1, failed: 0, unknown: 0, none: 0 })
    assert.include(
      await failure(program(`console.log('{"outcome":"failed"}')`), { operations: [storeTopic] }),
      "topics.store: failed"
    )
  })

  it("shows how the program ended, and its error output up to the message of a crash", async () => {
    const message = await failure([process.execPath, "-e", `console.error("starting"); require("./missing.js")`])
    assert.deepStrictEqual(message.split("\n").slice(4, 6), ["the program ended with exit code 1", "starting"])
    assert.include(message, "\nError: Cannot find module './missing.js'\n")
    assert.strictEqual(await failure(["no-such-program"]), 'cannot start "no-such-program" (ENOENT)')
  })

  it.each([
    [`{ "outcome": "maybe" }`, `the client's line.outcome: must be ok, failed or unknown, not "maybe"`],
    [`{ "outcome": ok }`, `the client's line is not valid JSON: { "outcome": ok }`]
  ])("refuses the line %s", async (line, message) => {
    assert.strictEqual(await failure(program(`console.log(${JSON.stringify(line)})`)), message)
    const twice = `console.log(${JSON.stringify(`${line}\n${line}`)})`
    assert.strictEqual(await failure(program(twice)), message)
  })
})
