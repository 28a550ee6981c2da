import { assert, describe, it } from "@effect/vitest"
import { startProgram } from "@signalbox/testing/Program"
import { fileURLToPath } from "node:url"
import { refuse, serve } from "./pty/Service.ts"
import { event } from "./Sample.ts"

const program = fileURLToPath(new URL("../dist/main.js", import.meta.url))

const runIn = (environment: Readonly<Record<string, string>>, ...words: ReadonlyArray<string>) =>
  startProgram(process.execPath, [program, ...words], { env: { PATH: process.env["PATH"], ...environment } }).ended

const run = (...words: ReadonlyArray<string>) => runIn({}, ...words)

const live = (url: string) => ({ SIGNALBOX_API_KEY: "the-secret-key", SIGNALBOX_BASE_URL: url })

describe("without a terminal", () => {
  it("prints one line an event, with its time first", async () => {
    const { code, stdout } = await run()
    const lines = stdout.trimEnd().split("\n")
    assert.lengthOf(lines, 50)
    for (const line of lines) assert.match(line, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z {2}\S/u)
    assert.strictEqual(code, 0)
  })

  it("ends quietly when the reader has seen enough", async () => {
    const { child, ended } = startProgram(process.execPath, [program, "--demo-events", "5000"])
    child.stdout.destroy()
    const { code, stderr } = await ended
    assert.notInclude(stderr, "EPIPE")
    assert.strictEqual(code, 0)
  })

  it("refuses an unknown flag in one line that says what is allowed", async () => {
    const { code, stderr, stdout } = await run("--colour")
    assert.match(stderr, /^[^\n]*--theme[^\n]*\n$/u)
    assert.strictEqual(stdout, "")
    assert.strictEqual(code, 2)
  })

  it("says of how many events the matching ones are", async () => {
    const { code, stderr, stdout } = await run("--filter", 'workflow:"no such workflow"')
    assert.strictEqual(stdout, "")
    assert.strictEqual(stderr, "(0 of the 50 newest events match; there are older ones)\n")
    assert.strictEqual(code, 0)
  })

  it("lets no escape sequence of the service through, and says what to do", async () => {
    using service = await serve(refuse(401, { message: "expired \u001B[31mred\u001B]0;title\u0007" }))
    const { code, stderr } = await runIn(live(service.url))
    for (const sequence of ["\u001B", "\u0007"]) assert.notInclude(stderr, sequence)
    assert.match(stderr, /^signalbox-tui: events\.list failed: 401 .*[^.]\. Check the API key.*\n$/u)
    assert.strictEqual(code, 1)
  })

  it("says that parts of the answer were left out", async () => {
    using service = await serve((response) => {
      response.writeHead(200, { "content-type": "application/json" })
      response.end(
        JSON.stringify({ data: [event(0), { ...event(1), jobs: "none" }, null], hasMore: false, page: 0, pageSize: 50 })
      )
    })
    const { stderr, stdout } = await runIn(live(service.url))
    assert.lengthOf(stdout.trimEnd().split("\n"), 2)
    assert.strictEqual(stderr, "(2 parts of the response could not be read and are left out)\n")
  })

  it("calls a wrong key what it is", async () => {
    const { code, stderr } = await runIn({ ...live("http://127.0.0.1:9"), SIGNALBOX_API_KEY: "a key" })
    assert.include(stderr, "Correct it where it is set (SIGNALBOX_ variables")
    assert.notInclude(stderr, "a key")
    assert.strictEqual(code, 1)
  })
})
