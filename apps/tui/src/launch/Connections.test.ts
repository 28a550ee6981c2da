import { folderOfTest } from "@signalbox/testing/Folder"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, beforeEach, describe, it } from "@effect/vitest"
import { noKnownCauses } from "@signalbox/operator/connections/KnownCauses"
import * as Effect from "effect/Effect"
import type { LaunchOptions } from "./LaunchOptions.ts"
import { chooseSession, readConfig } from "./Connections.ts"

const secret = "sk-live-5f2d"

let folder: string

beforeEach(() => {
  folder = folderOfTest()
})

const configure = (text: string) => {
  mkdirSync(join(folder, "signalbox"), { recursive: true })
  writeFileSync(join(folder, "signalbox", "config.toml"), text)
}

const eu =
  '[connections.eu]\nbaseUrl = "https://eu.api.example.com"\napiKeyEnv = "EU_KEY"\nreadOnly = true\ntheme = "light"\n'

const choose = async (given: LaunchOptions = {}, variables: Readonly<Record<string, string>> = {}) => {
  const environment = { XDG_CONFIG_HOME: folder, HOME: folder, ...variables }
  const config = await readConfig(environment)
  return typeof config === "string"
    ? ({ _tag: "Refused", message: config } as const)
    : chooseSession(given, environment, config)
}

const chosen = async (...input: Parameters<typeof choose>) => {
  const result = await choose(...input)
  if (result._tag === "Refused") throw new Error(result.message)
  return result
}

const refusal = async (...input: Parameters<typeof choose>) => {
  const result = await choose(...input)
  assert(result._tag === "Refused")
  assert.notInclude(result.message, secret)
  assert.notInclude(result.message, "\n")
  return result.message
}

describe("chooseSession", () => {
  it("is the demo when nothing else is named", async () => {
    const { session } = await chosen()
    assert.deepInclude(session.info, { name: "demo", kind: "demo", readOnly: false, choices: ["demo"] })
  })

  it("is the service that the environment names", async () => {
    const environment = { SIGNALBOX_API_KEY: secret, SIGNALBOX_BASE_URL: "https://api.example.com/gateway" }
    const { session, connect } = await chosen({}, environment)
    assert.deepInclude(session.info, { name: "api.example.com", kind: "live", readOnly: false })
    assert.notInclude(JSON.stringify(session.info), secret)
    const demo = await Effect.runPromise(connect("demo"))
    assert.strictEqual(demo.info.kind, "demo")
    const back = await Effect.runPromise(connect("api.example.com"))
    assert.strictEqual(back.info.kind, "live")
  })

  it("is the demo when asked for, whatever the environment names", async () => {
    const environment = { SIGNALBOX_API_KEY: secret, SIGNALBOX_BASE_URL: "https://api.example.com" }
    assert.strictEqual((await chosen({ connection: "demo" }, environment)).session.info.kind, "demo")
  })

  it("refuses half an environment", async () => {
    assert.include(
      await refusal({}, { SIGNALBOX_API_KEY: secret }),
      "SIGNALBOX_API_KEY is set without SIGNALBOX_BASE_URL"
    )
    assert.include(
      await refusal({}, { SIGNALBOX_BASE_URL: "https://a.test" }),
      "SIGNALBOX_BASE_URL is set without SIGNALBOX_API_KEY"
    )
    const mixedUp = { SIGNALBOX_API_KEY: "https://a.test", SIGNALBOX_BASE_URL: secret }
    assert.include(await refusal({}, mixedUp), "SIGNALBOX_BASE_URL must be an http or https URL")
  })

  it("opens a named connection", async () => {
    configure(eu)
    const { session, connect } = await chosen({ connection: "eu" }, { EU_KEY: secret })
    assert.deepStrictEqual(session.info, {
      name: "eu",
      kind: "live",
      baseUrl: "https://eu.api.example.com",
      readOnly: true,
      choices: ["demo", "eu"],
      views: [],
      known: noKnownCauses
    })
    assert.strictEqual(session.theme, "light")
    const error = await Effect.runPromise(Effect.flip(connect("us")))
    assert.include(error.message, 'no connection is named "us"; expected one of: eu, demo')
  })

  it("opens the connection of SIGNALBOX_CONNECTION, else the default of the file", async () => {
    configure(`default = "eu"\n${eu}${eu.replace("eu]", "us]")}`)
    const nameIn = async (environment: Readonly<Record<string, string>>, given: LaunchOptions = {}) =>
      (await chosen(given, { EU_KEY: secret, ...environment })).session.info.name
    assert.strictEqual(await nameIn({}), "eu")
    assert.strictEqual(await nameIn({ SIGNALBOX_CONNECTION: "us" }), "us")
    assert.strictEqual(await nameIn({ SIGNALBOX_CONNECTION: "us" }, { connection: "eu" }), "eu")
    assert.strictEqual(await nameIn({ SIGNALBOX_CONNECTION: "us" }, { connection: "demo" }), "demo")
    const variables = { SIGNALBOX_BASE_URL: "https://api.example.com", SIGNALBOX_API_KEY: secret }
    assert.strictEqual(await nameIn(variables), "api.example.com")
    assert.include(
      await refusal({}, { ...variables, SIGNALBOX_CONNECTION: "us" }),
      "SIGNALBOX_CONNECTION and SIGNALBOX_BASE_URL are both set; unset one"
    )
  })

  it("keeps the theme of the command line on every connection", async () => {
    configure(eu)
    const { session } = await chosen({ connection: "eu", theme: "dark" }, { EU_KEY: secret })
    assert.isUndefined(session.theme)
  })

  it("offers the named connections from the demo", async () => {
    configure(eu)
    assert.deepStrictEqual((await chosen()).session.info.choices, ["demo", "eu"])
  })

  it("names what is wrong with the file, the key or the name", async () => {
    assert.include(await refusal({ connection: "eu" }), "there are no connections: add [connections.NAME]")
    configure(eu)
    assert.include(await refusal({ connection: "eu" }), "the environment variable EU_KEY is not set")
    assert.include(await refusal({ connection: "ue" }), "did you mean eu?")
    configure(`${eu}apiKey = "${secret}"\n`)
    for (const connection of ["eu", "demo", undefined]) {
      assert.include(await refusal({ connection }), "connections.eu.apiKey: do not put a key in this file")
    }
  })

  it("reads the file again for each connection, so that it can be corrected meanwhile", async () => {
    const { connect } = await chosen({}, { EU_KEY: secret })
    configure(eu)
    const session = await Effect.runPromise(connect("eu"))
    assert.deepStrictEqual(session.info.choices, ["demo", "eu"])
  })
})
