import { assert, describe, it } from "@effect/vitest"
import { uiFlags } from "@signalbox/tui/launch/LaunchOptions"
import { allHelp } from "../../help/AllHelp.ts"

describe("a start without the parser", () => {
  it("reads the flags of signalbox ui, apart from the one that opens nothing", async () => {
    const help = (await allHelp()).find(({ usage }) => usage.startsWith("signalbox ui"))
    const flags = help?.flags.map(({ aliases, name, type }) => [name, type === "boolean", aliases.length]) ?? []
    const known = Object.entries(uiFlags).map(([name, flag]) => [
      name,
      flag.type === "boolean",
      "short" in flag ? 1 : 0
    ])
    assert.sameDeepMembers(flags, [...known, ["reset-terminal", true, 0]])
  })
})
