import { folderOfTest } from "@signalbox/testing/Folder"
import { startProgram } from "@signalbox/testing/Program"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import { createFake } from "@signalbox/test-harness"
import { listen } from "@signalbox/test-harness/server"
import { program } from "../BuiltProgram.ts"

/** A service of another vendor, whose records have fields that the document does not have. */
const serve = async () => {
  const fake = createFake({ vendor: "acme", preset: "observed", switches: { "response.extraFields": "added" } })
  fake.addSubscriber({ subscriberId: "u_1" })
  const messages = [1, 2, 3, 4].flatMap(() => ["--message", fake.addMessage({ subscriberId: "u_1" }).id])
  const { close, url } = await listen(fake)
  return { fake, messages, url, close }
}

let served: Awaited<ReturnType<typeof serve>>
let folder: string

beforeEach(async () => {
  served = await serve()
  folder = folderOfTest()
  mkdirSync(join(folder, "signalbox"))
  writeFileSync(config(), `[connections.eu]\nbaseUrl = "${served.url}"\napiKeyEnv = "EU_KEY"\n`)
})

afterEach(() => served.close())

const config = () => join(folder, "signalbox", "config.toml")

const signalbox = (...args: ReadonlyArray<string>) =>
  startProgram(process.execPath, [program, ...args], {
    env: { PATH: process.env["PATH"], HOME: folder, XDG_CONFIG_HOME: folder, EU_KEY: served.fake.apiKey }
  })

describe("the first contact with a service of another vendor", () => {
  it("sets the vendor, reports differences once, and ends in a fake that behaves like the service", async () => {
    const doctor = await signalbox("doctor", "-c", "eu", "--yes").ended
    assert.strictEqual(doctor.code, 0, doctor.stderr)
    assert.include(doctor.stdout, '"check":"vendor","result":"warning"')
    assert.include(readFileSync(config(), "utf8"), '[connections.eu]\nvendor = "acme"\n')
    const list = () => signalbox("events", "list", "-c", "eu", "--limit", "5", "--quiet").ended
    assert.strictEqual((await list()).stderr, "")
    const saved = await signalbox(
      "doctor",
      "-c",
      "eu",
      "--calibrate",
      "--save",
      "--yes",
      "-s",
      "u_1",
      ...served.messages
    ).ended
    assert.strictEqual(saved.code, 0, saved.stderr)
    const like = signalbox("fake", "--like", "eu", "--demo")
    const address = await new Promise<string>((resolve) => like.child.stdout.once("data", (data) => resolve(`${data}`)))
    const { apiKey, url } = JSON.parse(address)
    const get = (query: string) =>
      fetch(`${url}/v1/notifications${query}`, { headers: { authorization: `ApiKey ${apiKey}` } })
    const events = await (await get("?limit=50")).text()
    assert.include(events, '"origin":"acme-cloud')
    assert.include(events, '"_schemaRevision"')
    assert.strictEqual((await get("?limit=51")).status, 422)
    like.child.kill("SIGINT")
    await like.ended
  })
})
