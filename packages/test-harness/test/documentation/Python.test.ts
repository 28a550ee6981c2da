import { assert, describe, it } from "@effect/vitest"
import { execFile, spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createFake } from "../../src/index.ts"
import { checkCommand, listen } from "../../src/server.ts"

/** The program in Python on a page of the guide. */
const programOn = (page: string): string => {
  const file = join(import.meta.dirname, "..", "..", "..", "..", "docs", "testing", page)
  return /```python\n([\s\S]*?)```/u.exec(readFileSync(file, "utf8"))?.[1] ?? ""
}

const everyAction = join(import.meta.dirname, "..", "python", "control_api.py")
const hasPython = spawnSync("python3", ["--version"]).status === 0

const plugin = join(import.meta.dirname, "..", "..", "python")
const hasPytest = spawnSync("python3", ["-c", "import pytest"]).status === 0

/** Runs Python with the URL of a server, which closes afterwards, or with other variables; returns what it printed. */
const run = async (words: ReadonlyArray<string>, variables: NodeJS.ProcessEnv = {}): Promise<string> => {
  await using server = await listen(createFake({ data: "empty" }))
  return await new Promise((resolve) => {
    const own = { FAKE_URL: server.url, PYTHONPATH: plugin, PYTHONDONTWRITEBYTECODE: "1", ...variables }
    const env = { ...process.env, ...own }
    execFile("python3", words, { env }, (_error, stdout, stderr) => resolve(stdout + stderr))
  })
}

/** Runs a program with pytest and the plugin. */
const runTests = async (program: string, variables?: NodeJS.ProcessEnv): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), "pytest-"))
  try {
    writeFileSync(join(folder, "test_program.py"), program)
    return await run(["-m", "pytest", "-p", "signalbox_fake", "-p", "no:cacheprovider", folder], variables)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

// The workflows install pytest; other machines may not have it.
describe.skipIf(!hasPytest && process.env["GITHUB_ACTIONS"] === undefined)("the plugin of pytest", () => {
  it("runs the tests of the guide", async () => {
    assert.match(await runTests(programOn("python.md")), /=+ 2 passed in [\d.]+s =+\s*$/u)
  })

  it("fails a test with the timeline, and one whose fault never fired", async () => {
    const printed = await runTests(
      [
        "def test_expects(fake):",
        '    fake.expect("applied", count=1)',
        "def test_arms(fake):",
        '    fake.fault("Status", status=503)',
        "def test_seeds(fake):",
        '    fake.seed(integrations=[{"providerId": "fcm", "activ": True}])'
      ].join("\n")
    )
    assert.match(printed, /expected to be applied once[\s\S]*requests to the fake/u)
    assert.include(printed, 'fault "status 503 at received" never fired')
    assert.include(printed, "ValueError: seed.integrations.0.activ: unknown option; did you mean active?")
    assert.match(printed, /2 failed, 1 passed, 1 error/u)
  })

  it.each(["http://127.0.0.1:1", "127.0.0.1:4010"])("names FAKE_URL where no fake responds at %s", async (url) => {
    const printed = await runTests("def test_starts(fake): pass", { FAKE_URL: url })
    assert.include(printed, `no fake responds at ${url}, see FAKE_URL and FAKE_COMMAND: `)
  })

  it("ends a server that does not print its URL", async () => {
    const command = `python3 -c "print('no JSON', flush=True); import time; time.sleep(600)"`
    const variables = { FAKE_URL: undefined, FAKE_COMMAND: command }
    assert.include(await runTests("def test_starts(fake): pass", variables), "JSONDecodeError")
  })
})

describe.skipIf(!hasPython && process.env["CI"] === undefined)("Python", () => {
  it("has a suite that uses every action of the control API", async () => {
    assert.match(await run([everyAction]), /Ran \d+ tests in [\d.]+s\s+OK\s*$/u)
  })

  it("has a client in which a check finds nothing", async () => {
    // No fault of these programs hangs, so that the client never waits for the long deadline.
    const { findings, outcomes } = await checkCommand(["python3", "-I", "-c", programOn("check.md")], {
      runs: 12,
      seed: 3,
      deadlineMs: 100_000
    })
    assert.deepStrictEqual(findings, [])
    assert.deepStrictEqual(outcomes, { ok: 21, failed: 3, unknown: 1, none: 0 })
  })
})
