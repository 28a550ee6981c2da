import { assert, describe } from "@effect/vitest"
import { execFile } from "node:child_process"
import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, it as plainly } from "vitest"
import { listen } from "../server.ts"
import { it, test } from "../vitest.ts"

const home = join(import.meta.dirname, "..", "..")

const status = async (
  fake: { fetch: typeof fetch; baseUrl: string; apiKey: string },
  path: string
): Promise<number> => {
  const headers = { authorization: `ApiKey ${fake.apiKey}` }
  return (await fake.fetch(`${fake.baseUrl}${path}`, { headers })).status
}

describe("the fixture", () => {
  const keys = new Set<string>()

  for (const time of ["first", "second"]) {
    test.concurrent(`is a separate environment: ${time}`, async ({ fake, expect }) => {
      expect(await status(fake, "/v1/notifications")).toBe(200)
      expect(fake.journal.entries()).toHaveLength(1)
      expect(keys.has(fake.apiKey)).toBe(false)
      keys.add(fake.apiKey)
    })
  }

  const ids: Array<unknown> = []
  it("is empty, and its data depend on the name of the test", { repeats: 1 }, ({ fake }) => {
    assert.strictEqual(fake.state().subscribers.length, 0)
    fake.generate({ subscribers: 3 })
    ids.push(
      fake
        .state()
        .subscribers.map(({ subscriberId }) => subscriberId)
        .toSorted()
    )
    assert.deepStrictEqual(ids.at(-1), ids[0])
  })

  it("creates other environments, which also belong to the test", ({ fake }) => {
    const other = fake.environment({ data: "empty" })
    const [first, second, ...more] = fake.environments()
    assert.strictEqual(first, fake)
    assert.strictEqual(second, other)
    assert.isEmpty(more)
  })

  it("can be served", async ({ fake }) => {
    await using server = await listen(fake)
    const headers = { authorization: `ApiKey ${fake.apiKey}` }
    assert.strictEqual((await fetch(`${server.url}/v1/notifications`, { headers })).status, 200)
    assert.lengthOf(fake.journal.entries(), 1)
  })

  describe("with other options", () => {
    test.override({ fakeOptions: { data: "demo", seed: 7, switches: { "auth.missingKey": "403" } } })

    it("uses them", ({ fake }) => {
      assert.isAbove(fake.state().subscribers.length, 0)
      assert.match(fake.apiKey, /-7$/u)
      assert.strictEqual(fake.switches["auth.missingKey"], "403")
    })
  })
})

interface Finished {
  readonly text: string
  readonly failed: number
  readonly passed: number
}

/** Runs tests in a separate process, and returns its output. */
const run = (folder: string, tests: string): Promise<Finished> => {
  const file = join(folder, "Program.test.ts")
  writeFileSync(file, `import { test } from "${join(home, "src", "vitest.ts")}"\n${tests}`)
  const vitest = join(home, "node_modules", "vitest", "vitest.mjs")
  const output = ["--reporter=default", "--no-color"]
  return new Promise((resolve) => {
    const env = { ...process.env, NO_COLOR: "1" }
    execFile(process.execPath, [vitest, "run", "--root", folder, ...output], { env }, (_error, stdout, stderr) => {
      const text = `${stdout}\n${stderr}`
      const count = (word: string) => Number(new RegExp(`Tests .*?(\\d+) ${word}`, "u").exec(text)?.[1] ?? 0)
      resolve({ text, failed: count("failed"), passed: count("passed") })
    })
  })
}

describe("after a test", () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "signalbox-vitest-")))
  symlinkSync(join(home, "node_modules"), join(folder, "node_modules"))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  plainly("it fails for shared data and for faults that never fired", { timeout: 60_000 }, async () => {
    const { failed, passed, text } = await run(
      folder,
      `
      import { Fault } from "${join(home, "src", "index.ts")}"
      const ask = (fake, path, body) => fake.fetch(fake.baseUrl + path, {
        method: "POST", body: JSON.stringify(body),
        headers: { authorization: "ApiKey " + fake.apiKey, "content-type": "application/json" }
      })
      let message
      test("has a message", ({ fake }) => {
        fake.addSubscriber({ subscriberId: "owner" })
        message = fake.addMessage({ subscriberId: "owner", id: "0123456789abcdef01234567" }).id
      })
      test("takes it", async ({ fake }) => {
        fake.addSubscriber({ subscriberId: "thief" })
        await ask(fake, "/v1/subscribers/thief/messages/mark-as", { messageId: message, markAs: "read" })
      })
      test("forgets a fault", ({ fake }) => {
        fake.faults.add(Fault.reset())
      })
      `
    )
    assert.deepStrictEqual({ failed, passed }, { failed: 2, passed: 1 })
    assert.include(
      text.replaceAll(/\s+/gu, " "),
      'request 1 names message 0123456789abcdef01234567, which belongs to test "has a message"'
    )
    assert.include(text, 'fault "reset at received" never fired; no request came')
  })

  plainly("it prints what happened where the test failed, once", { timeout: 60_000 }, async () => {
    const { failed, passed, text } = await run(
      folder,
      `
      import { expectFake } from "${join(home, "src", "index.ts")}"
      const list = (fake, page) => fake.fetch(fake.baseUrl + "/v1/notifications?page=" + page, {
        headers: { authorization: "ApiKey " + fake.apiKey }
      })
      test("passes", async ({ fake }) => { await list(fake, 1) })
      test("fails", async ({ fake, expect }) => { await list(fake, 2); expect(1).toBe(2) })
      test("fails because of its key", async ({ fake, expect }) => {
        const { status } = await fake.fetch(fake.baseUrl + "/v1/notifications", { headers: { authorization: "ApiKey other" } })
        expect(status).toBe(200)
      })
      test("fails with a timeline", async ({ fake, expect }) => { await list(fake, 3); expectFake(fake).neverRequested() })
      `
    )
    assert.deepStrictEqual({ failed, passed }, { failed: 3, passed: 1 })
    const stranger = "no request came\n1 request came with an API key that no environment has: events.list got 401"
    assert.lengthOf(text.split(stranger), 2)
    assert.notInclude(text, "#1 events.list ?page=1")
    assert.lengthOf(text.split("#1 events.list ?page=2"), 2)
    assert.lengthOf(text.split("#1 events.list ?page=3"), 2)
  })
})
