import { assert, describe, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { refuse, serve } from "./pty/Service.ts"
import { event } from "./Sample.ts"

const program = fileURLToPath(new URL("../dist/main.js", import.meta.url))

const textOf = async (stream: AsyncIterable<Buffer>): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString("utf8")
}

const runIn = async (environment: Readonly<Record<string, string>>, ...words: ReadonlyArray<string>) => {
  const env = { PATH: process.env["PATH"], ...environment }
  const child = spawn(process.execPath, [program, ...words], { stdio: ["ignore", "pipe", "pipe"], env })
  const [output, problems, [code]] = await Promise.all([
    textOf(child.stdout),
    textOf(child.stderr),
    once(child, "exit")
  ])
  return { output, problems, code }
}

const run = (...words: ReadonlyArray<string>) => runIn({}, ...words)

const live = (url: string) => ({ SIGNALBOX_API_KEY: "the-secret-key", SIGNALBOX_BASE_URL: url })

describe("without a terminal", () => {
  it("prints one line an event, with its time first", async () => {
    const { code, output } = await run()
    const lines = output.trimEnd().split("\n")
    assert.lengthOf(lines, 50)
    for (const line of lines) assert.match(line, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z {2}\S/u)
    assert.strictEqual(code, 0)
  })

  it("ends quietly when the reader has seen enough", async () => {
    const child = spawn(process.execPath, [program, "--demo-events", "5000"], { stdio: ["ignore", "pipe", "pipe"] })
    child.stdout.destroy()
    const [problems, [code]] = await Promise.all([textOf(child.stderr), once(child, "exit")])
    assert.notInclude(problems, "EPIPE")
    assert.strictEqual(code, 0)
  })

  it("refuses an unknown flag in one line that says what is allowed", async () => {
    const { code, output, problems } = await run("--colour")
    assert.match(problems, /^[^\n]*--theme[^\n]*\n$/u)
    assert.strictEqual(output, "")
    assert.strictEqual(code, 2)
  })

  it("says of how many events the matching ones are", async () => {
    const { code, output, problems } = await run("--filter", 'workflow:"no such workflow"')
    assert.strictEqual(output, "")
    assert.strictEqual(problems, "(0 of the 50 newest events match; there are older ones)\n")
    assert.strictEqual(code, 0)
  })

  it("lets no escape sequence of the service through, and says what to do", async () => {
    using service = await serve(refuse(401, { message: "expired \u001B[31mred\u001B]0;title\u0007" }))
    const { code, problems } = await runIn(live(service.url))
    for (const sequence of ["\u001B", "\u0007"]) assert.notInclude(problems, sequence)
    assert.match(problems, /^signalbox-tui: events\.list failed: 401 .*[^.]\. Check the API key.*\n$/u)
    assert.strictEqual(code, 1)
  })

  it("says that parts of the answer were left out", async () => {
    using service = await serve((response) => {
      response.writeHead(200, { "content-type": "application/json" })
      response.end(
        JSON.stringify({ data: [event(0), { ...event(1), jobs: "none" }, null], hasMore: false, page: 0, pageSize: 50 })
      )
    })
    const { output, problems } = await runIn(live(service.url))
    assert.lengthOf(output.trimEnd().split("\n"), 2)
    assert.strictEqual(problems, "(2 parts of the answer could not be read and are left out)\n")
  })

  it("calls a wrong key what it is", async () => {
    const { code, problems } = await runIn({ ...live("http://127.0.0.1:9"), SIGNALBOX_API_KEY: "a key" })
    assert.include(problems, "Correct it where it is set (SIGNALBOX_ variables")
    assert.notInclude(problems, "a key")
    assert.strictEqual(code, 1)
  })
})
