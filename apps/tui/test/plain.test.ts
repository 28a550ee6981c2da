import { assert, describe, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"

const program = fileURLToPath(new URL("../dist/main.js", import.meta.url))

const textOf = async (stream: AsyncIterable<Buffer>): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString("utf8")
}

const run = async (...words: ReadonlyArray<string>) => {
  const child = spawn(process.execPath, [program, ...words], { stdio: ["ignore", "pipe", "pipe"] })
  const [output, problems, [code]] = await Promise.all([
    textOf(child.stdout),
    textOf(child.stderr),
    once(child, "exit")
  ])
  return { output, problems, code }
}

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
})
