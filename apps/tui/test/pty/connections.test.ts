import { folderOfTest } from "@signalbox/testing/Folder"
import { assert, describe, it } from "@effect/vitest"
import { makeConfiguration } from "./Configuration.ts"
import { markMessages, page, reading, serve } from "./Service.ts"
import { open } from "./Terminal.ts"

const keys = { STAGING_KEY: "staging-secret-4f7a", PRODUCTION_KEY: "production-secret-91bc" }

/** The strings that the terminal was requested to put into the clipboard. */
const copiedIn = (written: string): string => {
  const [, content = ""] = written.split("\u001B]52;c;")
  return Buffer.from(content.split("\u0007")[0] ?? "", "base64").toString("utf8")
}

const two = (url: string) => `
[connections.staging]
baseUrl = "${url}"
apiKeyEnv = "STAGING_KEY"

[connections.production]
baseUrl = "${url}"
apiKeyCommand = "echo $PRODUCTION_KEY"
readOnly = true
theme = "contrast"
`

describe("connections of the configuration file", () => {
  it("begins with the one that is named, and changes to another: header, data and key", async () => {
    using service = await serve(reading(page(3), markMessages))
    const config = makeConfiguration(two(service.url), keys)
    using terminal = open({
      args: ["--connection", "staging"],
      environment: config.environment,
      background: "0000/0000/0000"
    })
    await terminal.idle()
    assert.include(terminal.lines()[0], "[LIVE staging]")
    assert.deepStrictEqual(new Set(service.received.map(({ key }) => key)), new Set([`ApiKey ${keys.STAGING_KEY}`]))
    // As from a slow terminal, late: it is not a key.
    terminal.sendElsewhere("\u001B]11;rgb:0000/0000/0000\u0007")
    await terminal.press("jm")
    assert.include(terminal.lines()[0], "Messages u_10001")
    const before = service.received.length
    await terminal.press(":connect production\r")
    assert.include(terminal.lines()[0], "[LIVE production read-only]")
    assert.notInclude(terminal.lines()[0], "Messages")
    assert.include(terminal.text(), "connected to production")
    assert.include(terminal.text(), "1/3")
    assert.deepStrictEqual(
      service.received.slice(before).map(({ key }) => key),
      [`ApiKey ${keys.PRODUCTION_KEY}`]
    )
    // The connection asks for this theme: its titles are underlined.
    await terminal.press("j\r")
    assert.include(terminal.taken(), "\u001B[1m\u001B[4mWHY")
  })
  it("states times in the zone of the file, and rejects one that does not exist", async () => {
    using service = await serve(reading(page(3), markMessages))
    const config = makeConfiguration(`timeZone = "local"\n${two(service.url)}`, keys)
    using terminal = open({
      args: ["--connection", "staging"],
      environment: { ...config.environment, TZ: "Asia/Tokyo" }
    })
    await terminal.idle()
    assert.match(terminal.lines()[0] ?? "", /\[LIVE staging\] \+09 .*as of \d\d:\d\d:\d\d\+09/u)
    await terminal.press(":tz utc\r")
    assert.match(terminal.lines()[0] ?? "", /\[LIVE staging\] .*as of \d\d:\d\d:\d\dZ/u)
  })
  it.each([
    ['timeZone = "Europe/Berln"', 'timeZone: unknown time zone "Europe/Berln"; did you mean'],
    ['[keys]\nhelp = "j"', 'keys.help: "j" conflicts with "down" (events); use another key']
  ])("does not open where the file has %j, and names the place", async (text, problem) => {
    using terminal = open({ columns: 200, environment: makeConfiguration(text, keys).environment })
    assert.strictEqual((await terminal.ended).exitCode, 2)
    assert.include(terminal.text().replaceAll("\n", ""), `config.toml: ${problem}`)
  })
  it("offers the entries of a prompt in the next session, except tokens", async () => {
    using service = await serve(reading(page(3), markMessages))
    const config = makeConfiguration(two(service.url), keys)
    const environment = { ...config.environment, XDG_STATE_HOME: folderOfTest() }
    using first = open({ args: ["--connection", "staging"], environment })
    await first.idle()
    await first.press("/invoice\r")
    await first.press("/\u0015xoxb-2042387410-abcdef\r")
    first.send("q")
    await first.ended
    using second = open({ args: ["--connection", "staging"], environment })
    await second.idle()
    await second.press("/")
    await second.press("\u001B[A")
    assert.include(
      second.lines().find((line) => line.includes("filter:")),
      "filter: invoice"
    )
    await second.press("\u001B[A")
    assert.include(
      second.lines().find((line) => line.includes("filter:")),
      "filter: invoice"
    )
  })
  it("refuses writes on a read-only one, and reports it before anything is sent", async () => {
    using service = await serve(reading(page(3), markMessages))
    const config = makeConfiguration(two(service.url), keys)
    using terminal = open({ args: ["--connection", "production"], environment: config.environment })
    await terminal.idle()
    await terminal.press("m")
    await terminal.press("\u001B[200~65f0a1b2c3d4e5f6a7b8c9d0\u001B[201~")
    await terminal.press("r")
    assert.include(terminal.text(), "read: the connection production is read-only")
    await terminal.press("\u001B")
    await terminal.press("jc")
    assert.include(terminal.text(), "fix credentials: the connection production is read-only")
    assert.notInclude(terminal.text(), "REQUEST PREVIEW")
    assert.deepStrictEqual(service.writes(), [])
  })
  it("never shows a key: on no screen, in no error and in no copied command", async () => {
    using service = await serve(page(3))
    const config = makeConfiguration(two(service.url), keys)
    using terminal = open({
      columns: 120,
      rows: 40,
      args: ["--connection", "staging"],
      environment: config.environment
    })
    await terminal.idle()
    await terminal.press("yc")
    service.answer((response, request) => {
      response.writeHead(401, { "content-type": "application/json" })
      response.end(JSON.stringify({ message: `${request.key} is not known`, key: request.key }))
    })
    await terminal.press("r")
    assert.include(terminal.text(), "401")
    await terminal.press(":connect production\r")
    await terminal.press("r")
    const written = terminal.taken()
    const copied = copiedIn(written)
    assert.include(copied, "$SIGNALBOX_API_KEY")
    for (const key of Object.values(keys)) assert.notInclude(written + copied, key)
  })
  it("stays where it is when the other cannot be opened, and reads the file again for the next try", async () => {
    using service = await serve(page(3))
    const config = makeConfiguration(two(service.url).replace("PRODUCTION_KEY", "MISSING_KEY"), keys)
    using terminal = open({ args: ["--connection", "staging"], environment: config.environment })
    await terminal.idle()
    await terminal.press("j:connect production\r")
    assert.include(terminal.text(), "the command printed nothing")
    assert.include(terminal.lines()[0], "[LIVE staging]")
    assert.include(terminal.text(), "2/3")
    config.write(two(service.url))
    await terminal.press(":connect production\r")
    assert.include(terminal.lines()[0], "[LIVE production read-only]")
  })
  it("goes to the demo and back", async () => {
    using service = await serve(page(3))
    const config = makeConfiguration(two(service.url), keys)
    using terminal = open({ args: ["--connection", "staging"], environment: config.environment })
    await terminal.idle()
    await terminal.press(":connect demo\r")
    assert.include(terminal.lines()[0], "[DEMO]")
    assert.notInclude(terminal.text(), "1/3")
    await terminal.press(":connect staging\r")
    assert.include(terminal.text(), "1/3")
  })
})
