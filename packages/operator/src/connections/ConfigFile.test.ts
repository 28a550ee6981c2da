import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as PlatformError from "effect/PlatformError"
import * as Result from "effect/Result"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { onTestFinished } from "vitest"
import { findConnection, parseConfigFile, readConfigFile } from "./ConfigFile.ts"
import { configFilePath } from "./ConfigPath.ts"

const path = "/home/ana/.config/signalbox/config.toml"

const secret = "sk-live-5f2d"

const read = (text: string) => Result.getOrThrow(parseConfigFile(path, text)).connections

const refusal = (text: string): string => {
  const error = Result.getOrThrow(Result.flip(parseConfigFile(path, text)))
  assert.notInclude(error.message, secret)
  assert.notInclude(error.message, "\n")
  assert.isTrue(error.message.startsWith(`${path}: `))
  return error.message.slice(path.length + 2)
}

const table = (...lines: ReadonlyArray<string>) => ["[connections.eu]", ...lines].join("\n")

const url = 'baseUrl = "https://eu.api.example.com"'
const variable = 'apiKeyEnv = "ACME_KEY"'

describe("configFilePath", () => {
  it.each([
    [{ XDG_CONFIG_HOME: "/etc/xdg", HOME: "/home/ana" }, "/etc/xdg/signalbox/config.toml"],
    [{ XDG_CONFIG_HOME: "/etc/xdg/", HOME: "/home/ana" }, "/etc/xdg/signalbox/config.toml"],
    [{ XDG_CONFIG_HOME: "relative", HOME: "/home/ana" }, path],
    [{ XDG_CONFIG_HOME: "", HOME: "/home/ana" }, path],
    [{ XDG_CONFIG_HOME: "C:\\config" }, "C:\\config/signalbox/config.toml"],
    [{ USERPROFILE: "C:\\Users\\ana" }, "C:\\Users\\ana/.config/signalbox/config.toml"]
  ])("%j", (environment, expected) => {
    assert.strictEqual(configFilePath(environment), expected)
  })
})

describe("parseConfigFile", () => {
  it("reads connections in order", () => {
    assert.deepStrictEqual(
      read(`
        [connections.eu]
        baseUrl = "https://eu.api.example.com"
        apiKeyEnv = "ACME_EU_API_KEY"
        vendor = "acme"
        readOnly = true
        theme = "contrast"

        [connections."us-east.1"]
        baseUrl = "http://localhost:4010/v1"
        apiKeyCommand = ["pass", "show", "acme/us"]

        [connections.shell]
        baseUrl = "https://api.example.com"
        apiKeyCommand = "pass show acme | head -n 1"
      `),
      [
        {
          name: "eu",
          baseUrl: "https://eu.api.example.com",
          key: { _tag: "Environment", variable: "ACME_EU_API_KEY" },
          readOnly: true,
          vendor: "acme",
          theme: "contrast"
        },
        {
          name: "us-east.1",
          baseUrl: "http://localhost:4010/v1",
          key: { _tag: "Command", command: ["pass", "show", "acme/us"] },
          readOnly: false
        },
        {
          name: "shell",
          baseUrl: "https://api.example.com",
          key: { _tag: "Command", command: "pass show acme | head -n 1" },
          readOnly: false
        }
      ]
    )
  })

  it("reads the default connection", () => {
    const defaultOf = (text: string) => Result.getOrThrow(parseConfigFile(path, text)).defaultConnection
    assert.strictEqual(defaultOf(`default = "eu"\n${table(url, variable)}`), "eu")
    assert.strictEqual(defaultOf('default = "demo"'), "demo")
    assert.isUndefined(defaultOf(""))
  })

  it("accepts an empty file, and a byte order mark", () => {
    assert.deepStrictEqual(read(""), [])
    assert.deepStrictEqual(read("\uFEFF# nothing yet\n[connections]"), [])
  })

  it.each([
    ["apiKey", "apiKey"],
    ["api_key", "api_key"],
    ["key", "key"],
    ["token", "token"],
    ["secretKey", "secretKey"]
  ])("refuses a literal key under %s and says what to do", (key) => {
    assert.strictEqual(
      refusal(table(url, variable, `${key} = "${secret}"`)),
      `connections.eu.${key}: do not put a key in this file; name an environment variable with apiKeyEnv = "ACME_API_KEY" or a command that prints the key with apiKeyCommand = ["pass", "acme"]`
    )
  })

  it.each([
    [table(url, `apiKeyEnv = "${secret}"`), "connections.eu.apiKeyEnv: must be the name of an environment variable"],
    [table(url, `apiKeyEnv = ["${secret}"]`), "connections.eu.apiKeyEnv: must be a string in quotes, not a list"],
    [
      table(`baseUrl = "https://u:${secret}@a.test"`, variable),
      "connections.eu.baseUrl: must not contain a user name or password"
    ],
    [
      table(`baseUrl = "https://${secret}@a.test"`, variable),
      "connections.eu.baseUrl: must not contain a user name or password"
    ],
    [table(`baseUrl = "${secret}"`, variable), "connections.eu.baseUrl: must be an http or https URL"],
    [table(url, `apiKeyEnv = "${secret}`), "line 3, column "],
    [table('baseUrl = "ftp://a.test"', variable), "connections.eu.baseUrl: must be an http or https URL"],
    [table('baseUrl = "https://a.test?x=1"', variable), "connections.eu.baseUrl: must end before the query"],
    [table(variable), 'connections.eu.baseUrl: is missing; write baseUrl = "https://api.example.com"'],
    [table(url), "connections.eu: has no key; name an environment variable"],
    [table(url, variable, 'apiKeyCommand = "x"'), "connections.eu: has both apiKeyEnv and apiKeyCommand"],
    [table(url, "apiKeyCommand = []"), "connections.eu.apiKeyCommand: must be a program with its arguments"],
    [table(url, 'apiKeyCommand = ["a", 1]'), "connections.eu.apiKeyCommand: must be a program with its arguments"],
    [
      table(url, variable, 'baseURL = "x"'),
      "connections.eu.baseURL: unknown key; did you mean baseUrl? Expected one of: baseUrl,"
    ],
    [
      table(url, variable, 'default = "eu"'),
      "connections.eu.default: unknown key; default belongs above the first table"
    ],
    [
      table(url, variable, "zzz = 1"),
      "connections.eu.zzz: unknown key; expected one of: baseUrl, apiKeyEnv, apiKeyCommand, vendor, readOnly, theme"
    ],
    [
      table(url, variable, 'readOnly = "yes"'),
      "connections.eu.readOnly: must be true or false without quotes, not a string"
    ],
    [
      table(url, variable, 'theme = "drak"'),
      'connections.eu.theme: is "drak"; did you mean dark? Expected one of: dark, light,'
    ],
    [table(url, variable, 'vendor = "Acme Inc"'), "connections.eu.vendor: must be one lower-case word"],
    [table(url, variable, 'vendor = "acme!"'), "connections.eu.vendor: must be one lower-case word"],
    [table(url, variable, 'vendor = ""'), "connections.eu.vendor: must not be empty"],
    ["[connections.demo]", "connections.demo: this name belongs to the embedded demo"],
    ['[connections."a b"]', "connections.a b: the name of a connection consists of letters, digits"],
    ['[connections."\\u001b[2J"]', "connections.^[[2J: the name of a connection consists of"],
    ['default = "us"', 'default: no connection is named "us"; expected one of: demo'],
    ["default = 1", "default: must be the name of a connection in quotes; expected one of: demo"],
    ["[connections]\neu = 1", "connections.eu: must be a table with the keys baseUrl, apiKeyEnv"],
    [
      "[connection.eu]",
      "connection: unknown key; did you mean connections? Expected one of: default, connections, databases, views"
    ],
    ["connections = 1", "connections: must be tables; write [connections.NAME]"],
    ["[connections.eu", "line 1, column "]
  ])("refuses %j", (text, message) => {
    assert.include(refusal(text), message)
  })
})

const empty = {
  path,
  connections: [],
  databases: [],
  views: [],
  rules: [],
  screens: { mouse: false, keys: new Map() }
}

describe("findConnection", () => {
  const file = Result.getOrThrow(
    parseConfigFile(path, `${table(url, variable)}\n[connections.us]\n${url}\n${variable}`)
  )

  it("finds by name", () => {
    assert.strictEqual(Result.getOrThrow(findConnection(file, "us")).name, "us")
  })

  it("reports the names of the connections", () => {
    const error = (name: string, given = file) => Result.getOrThrow(Result.flip(findConnection(given, name))).message
    assert.strictEqual(
      error("uss"),
      `${path}: no connection is named "uss"; did you mean us? Expected one of: eu, us, demo`
    )
    assert.include(error("x", empty), "there are no connections: add [connections.NAME]")
  })
})

describe("readConfigFile", () => {
  const environment = { HOME: "/home/ana" }
  const failing = (tag: "NotFound" | "PermissionDenied") =>
    FileSystem.layerNoop({
      readFileString: () =>
        Effect.fail(PlatformError.systemError({ _tag: tag, module: "FileSystem", method: "readFileString" }))
    })

  it.effect("reads the file", () =>
    Effect.gen(function* () {
      const asked: Array<string> = []
      const layer = FileSystem.layerNoop({
        readFileString: (file) => Effect.sync(() => (asked.push(file), table(url, variable)))
      })
      const { connections } = yield* Effect.provide(readConfigFile(environment), layer)
      assert.deepStrictEqual(asked, [path])
      assert.strictEqual(connections[0]?.name, "eu")
    })
  )

  it.effect.each([
    ["everybody", 0o666, 'apiKeyCommand = ["pass", "acme"]', true],
    ["the group", 0o660, 'apiKeyCommand = "pass acme"', true],
    ["its owner", 0o644, 'apiKeyCommand = "pass acme"', false],
    ["everybody, without a command", 0o666, variable, false]
  ] as const)("rejects a file that runs commands and is writable: by %s", ([, mode, key, isRejected]) =>
    Effect.gen(function* () {
      const folder = mkdtempSync(join(tmpdir(), "signalbox-test-"))
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
      mkdirSync(join(folder, "signalbox"))
      const file = join(folder, "signalbox", "config.toml")
      writeFileSync(file, table(url, key))
      chmodSync(file, mode)
      const result = yield* Effect.result(readConfigFile({ XDG_CONFIG_HOME: folder })).pipe(
        Effect.provide(NodeFileSystem.layer)
      )
      assert.strictEqual(
        Result.isFailure(result) ? result.failure.message : "",
        isRejected
          ? `${file}: runs commands, and other users can write to it; take that right away: chmod go-w '${file}'`
          : ""
      )
    })
  )

  it.effect.each([
    ["the folder", 0o777, "signalbox", true],
    ["the folder of a link's target", 0o770, "files", true],
    ["a folder in which only owners replace files", 0o1777, "signalbox", false]
  ] as const)("rejects a file that runs commands and can be replaced in %s", ([, mode, name, isRejected]) =>
    Effect.gen(function* () {
      const folder = realpathSync(mkdtempSync(join(tmpdir(), "signalbox-test-")))
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
      for (const one of ["signalbox", "files"]) mkdirSync(join(folder, one))
      writeFileSync(join(folder, "files", "dot.toml"), table(url, `apiKeyCommand = "echo x"`), { mode: 0o600 })
      symlinkSync("../files/dot.toml", join(folder, "signalbox", "config.toml"))
      chmodSync(join(folder, name), mode)
      const result = yield* Effect.result(readConfigFile({ XDG_CONFIG_HOME: folder })).pipe(
        Effect.provide(NodeFileSystem.layer)
      )
      assert.strictEqual(
        Result.isFailure(result) ? result.failure.message : "",
        isRejected
          ? `${join(folder, "signalbox", "config.toml")}: runs commands, and other users can replace it; take that right away: chmod go-w '${join(folder, name)}'`
          : ""
      )
    })
  )

  it.effect("has no connections without a file", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* Effect.provide(readConfigFile(environment), failing("NotFound")), empty)
    })
  )

  it.effect("reports that the file cannot be read", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Effect.provide(readConfigFile(environment), failing("PermissionDenied")))
      assert.strictEqual(error.message, `${path}: cannot be read: PermissionDenied`)
    })
  )
})

describe("saved views", () => {
  const views = (text: string) => Result.getOrThrow(parseConfigFile(path, text)).views

  it("are filters by name, in the order of the file", () => {
    assert.deepStrictEqual(views('[views]\nfailing = "status:fail after:024h"\nann = "ann"\n'), [
      { name: "failing", filter: "status:failed after:24h" },
      { name: "ann", filter: "ann" }
    ])
    assert.deepStrictEqual(views(""), [])
  })

  it.each([
    ['[views]\na = "chanel:x"', 'views.a: column 1: unknown key "chanel"; did you mean channel?'],
    ["[views]\na = 1", "views.a: must be a filter in quotes"],
    ['[views]\n"a b" = "x"', "views.a b: the name of a view consists of"],
    ["views = 1", "views: must be a table"],
    ["[view]", "view: unknown key; did you mean views?"]
  ])("refuse %j and say where", (text, message) => {
    assert.include(refusal(text), message)
  })
})

describe("the settings of the terminal UI", () => {
  it.each([
    ["", {}],
    ['timeZone = "local"', { timeZone: "local" }],
    ['timeZone = "europe/berlin"', { timeZone: "Europe/Berlin" }],
    ["mouse = true", { mouse: true }],
    ['columns = ["time", "why"]\nsort = "-why"', { columns: ["time", "why"], sort: "-why" }],
    ['[keys]\nhelp = "f"', { keys: new Map([["help", "f"]]) }]
  ])("are read from %j", (text, screens) => {
    assert.deepStrictEqual(Result.getOrThrow(parseConfigFile(path, text)).screens, {
      mouse: false,
      keys: new Map(),
      ...screens
    })
  })

  it.each([
    ["timeZone = 1", "timeZone: must be utc, local or a name such as Europe/Berlin, in quotes"],
    ['mouse = "on"', "mouse: must be true or false without quotes"],
    ["columns = [1]", 'columns: must be a list of columns in quotes, such as ["time", "why"]'],
    ["sort = 1", "sort: must be a column in quotes"],
    ["keys = 1", 'keys: must be a table; write ACTION = "KEY" below [keys]'],
    ["[keys]\nhelp = 1", "keys.help: must be a key in quotes"],
    ['timeZone = "Europe/Berln"', 'timeZone: unknown time zone "Europe/Berln"; did you mean Europe/Berlin?']
  ])("reject %j and say where", (text, message) => {
    assert.include(refusal(text), message)
  })
})

describe("own rules", () => {
  const rule = (...lines: ReadonlyArray<string>) => ["[[rules]]", ...lines].join("\n")
  const match = 'match = "quota * exceeded"'
  const title = 'title = "quota used up"'
  const advice = 'advice = "Ask sales."'

  it("are read in order", () => {
    const text = `${rule(match, title, advice, 'owner = "plan"')}\n${rule('match = "E2"', title, advice)}`
    assert.deepStrictEqual(Result.getOrThrow(parseConfigFile(path, text)).rules, [
      { match: "quota * exceeded", title: "quota used up", advice: "Ask sales.", owner: "plan" },
      { match: "E2", title: "quota used up", advice: "Ask sales.", owner: "unknown" }
    ])
  })

  it.each([
    ['rules = "x"', "rules: must be tables; write [[rules]]"],
    ["rules = [1]", "rules[0]: must be a table with the keys match, title, advice, owner, not a number"],
    [rule(title, advice), "rules[0].match: must be a string of 1 to 300 characters in quotes"],
    [
      rule('match = " ** "', title, advice),
      "rules[0].match: must have characters besides *: it would match every failure"
    ],
    [rule(match, title, advice, 'owner = "ops"'), 'rules[0].owner: is "ops"; expected one of'],
    [
      rule(match, title, advice, 'color = "red"'),
      "rules[0].color: unknown key; expected one of: match, title, advice, owner"
    ]
  ])("reports %j with its place", (text, message) => {
    assert.include(refusal(text), message)
  })
})

describe("dashboardUrl", () => {
  it.each(["https://dash.example.com/{id}", "https://dash.example.com/x?txn={transactionId}"])(
    "accepts %s",
    (address) => {
      assert.strictEqual(read(table(url, variable, `dashboardUrl = "${address}"`))[0]?.dashboardUrl, address)
    }
  )
  it.each(["https://dash.example.com/", "javascript:alert({id})", "/events/{id}"])("refuses %s", (address) => {
    assert.include(
      refusal(table(url, variable, `dashboardUrl = "${address}"`)),
      "connections.eu.dashboardUrl: must be an http or https URL with {id} or {transactionId} in it"
    )
  })
})
