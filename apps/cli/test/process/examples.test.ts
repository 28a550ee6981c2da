import { folderOfSuite } from "@signalbox/testing/Folder"
import { startProgram } from "@signalbox/testing/Program"
import { defineOperation } from "@signalbox/core/DeclaredOperation"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { serveFake, type ServedFake } from "../CommandLineTest.ts"
import { allHelp } from "../../src/help/AllHelp.ts"
import { program } from "../BuiltProgram.ts"

let served: ServedFake
const folder = folderOfSuite()

beforeAll(async () => {
  served = await serveFake()
  served.fake.addSubscriber({ subscriberId: "u_1" })
  for (const id of ["m1", "m2"]) served.fake.addMessage({ subscriberId: "u_1", id })
  served.fake.route(
    defineOperation({ name: "events.trigger", method: "POST", path: "/v1/events/trigger" }),
    ({ input }) => ({ body: { data: input.body } })
  )
  const script = (name: string, text: string) =>
    writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
  script("signalbox", `exec "${process.execPath}" "${program}" "$@"`)
  // The programs and files that the examples use besides `signalbox`.
  script("npm", 'test -n "$SIGNALBOX_BASE_URL"')
  mkdirSync(join(folder, "config", "signalbox"), { recursive: true })
  writeFileSync(
    join(folder, "config", "signalbox", "config.toml"),
    `[connections.staging]\nbaseUrl = "${served.url}"\napiKeyEnv = "SIGNALBOX_API_KEY"\n`
  )
  writeFileSync(join(folder, "webhook-url.txt"), "https://hooks.example.test/T0/B0/K7q2x9\n")
  writeFileSync(join(folder, "token.txt"), "fcm-device-token-4f1c8a\n")
  writeFileSync(join(folder, "event.json"), '{"name":"welcome","to":{"subscriberId":"u_1"}}\n')
  writeFileSync(join(folder, "ids.txt"), "m1\nm2\n")
  for (const name of ["tokens", "interrupted", "abandoned"]) {
    // A file with the content of another one's run would continue that run.
    writeFileSync(join(folder, `${name}.csv`), `subscriberId,deviceTokens\nu_1,fcm-device-token-of-${name}\n`)
  }
  writeFileSync(join(folder, "users.csv"), "user,token,country\nu_1,fcm-device-token-4f1c8b,NO\n")
  writeFileSync(join(folder, "messages.csv"), "subscriberId,messageId\nu_1,m1\nu_1,m2\n")
  // A rejected API key stops a run at its first line.
  for (const name of ["interrupted", "abandoned"]) {
    const { code } = await runExample(
      `SIGNALBOX_API_KEY=wrong-key-5f2d signalbox bulk import ${name}.csv --provider fcm --yes`
    )
    assert.strictEqual(code, 3)
  }
})

afterAll(() => served.close())

/** The address of the examples is that of the shared fake. */
const withRealAddress = (command: string): string => {
  const { port } = new URL(served.url)
  return command.replaceAll("127.0.0.1:4010", `127.0.0.1:${port}`).replaceAll("--port 4010", "")
}

/** Examples that run until a signal are stopped once they have said that they are ready. */
const runsForever = (command: string): boolean => /^signalbox fake(?: --|$)|--follow/u.test(command)

/** The allowed exit codes of an example. */
const allowedCodes = (command: string): ReadonlyArray<number> => {
  if (runsForever(command)) return [130]
  return command.includes("--fail-on-failures") ? [0, 1] : [0]
}

const runExample = (command: string) => {
  const script = `set -o pipefail; ${runsForever(command) ? "exec " : ""}${withRealAddress(command)}`
  const { child, ended } = startProgram("bash", ["-c", script], {
    cwd: folder,
    env: {
      PATH: `${folder}:${process.env["PATH"]}`,
      HOME: folder,
      XDG_CONFIG_HOME: join(folder, "config"),
      XDG_CACHE_HOME: fileURLToPath(new URL("../../node_modules/.cache", import.meta.url)),
      SLACK_WEBHOOK: "https://hooks.example.test/T0/B0/K7q2x9",
      ...served.environment
    }
  })
  child.stdout.once("data", () => {
    if (runsForever(command)) child.kill("SIGINT")
  })
  return ended
}

describe("examples of the help", () => {
  it("run", async () => {
    const docs = await allHelp()
    const commands = docs.flatMap(({ examples = [] }) => examples.map(({ command }) => command))
    assert.isAbove(commands.length, 5)
    // The terminal UI is opened by the tests on a pseudo-terminal, workers are tested with their database, and the watch,
    // which lasts for minutes, on a test clock.
    for (const command of commands.filter((example) => !/^signalbox (?:ui|bulk worker|watch)/u.test(example))) {
      const { code, stderr } = await runExample(command)
      assert.include(allowedCodes(command), code, `${command}\n${stderr}`)
    }
  })
})
