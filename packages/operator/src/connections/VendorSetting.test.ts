import { assert, describe, it } from "@effect/vitest"
import { addVendor } from "./VendorSetting.ts"

const add = (text: string, name = "eu") => addVendor("config.toml", text, name, "acme")

const settings = 'baseUrl = "https://api.example.com"\napiKeyEnv = "KEY"\n'

describe("addVendor", () => {
  it.each([
    ["[connections.eu]", "eu"],
    ['  [ connections . "us.east" ] # the second', "us.east"],
    ["[connections.'eu']", "eu"]
  ])("adds the line below %s", (header, name) => {
    const text = `# mine\n[connections.other]\n${settings}\n${header}\n${settings}[views]\nall = ""\n`
    assert.strictEqual(add(text, name), text.replace(`${header}\n`, `${header}\nvendor = "acme"\n`))
  })

  it("keeps the line endings of the file", () => {
    const text = `[connections.eu]\n${settings}`.replaceAll("\n", "\r\n")
    assert.strictEqual(add(text), text.replace("]\r\n", ']\r\nvendor = "acme"\r\n'))
  })

  it.each([
    ["another connection", `[connections.us]\n${settings}`],
    ["an inline table", '[connections]\neu = { baseUrl = "https://api.example.com", apiKeyEnv = "KEY" }\n'],
    ["a vendor that is set", `[connections.eu]\n${settings}vendor = "other"\n`],
    ["an invalid file", `[connections.eu]\n${settings}unknown = 1\n`],
    ["a header inside of a string", `[connections.other]\nbaseUrl = """\n[connections.eu]\n"""\napiKeyEnv = "KEY"\n`]
  ])("returns nothing for %s", (_, text) => {
    assert.isUndefined(add(text))
  })
})
