import { folderOfSuite } from "@signalbox/testing/Folder"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { assert, beforeAll, describe, it } from "@effect/vitest"
import { writeHelp } from "./AllHelp.ts"
import { helpStyleOf } from "./HelpText.ts"
import { writtenText } from "./WrittenHelp.ts"

const file = pathToFileURL(join(folderOfSuite(), "help.json"))

beforeAll(async () => writeFileSync(file, JSON.stringify(await writeHelp())))

const firstLine = (args: string, from = file): string | undefined =>
  writtenText(args.split(" "), "1.2.3", { colours: false, columns: 100 }, from)?.split(/\n| from/u)[0]

describe("writtenText", () => {
  it.each([
    ["--version", "1.2.3"],
    ["--help", "Notification events"],
    ["help", "Notification events"],
    ["-h", "Notification events"],
    ["help events list", "List events, newest first."],
    ["events list --help", "List events, newest first."],
    ["events list --limit -h", undefined],
    ["events list --all -h", "List events, newest first."],
    ["events list --limit x -h --json", "List events, newest first."],
    ["help RateLimited", "RateLimited"],
    ["help rate_limited", "RateLimited"],
    ["help rate limited", "RateLimited"],
    ["--version --json", undefined],
    ["events list", undefined],
    ["help nothing", undefined],
    ["RateLimited --help", undefined],
    ["fake exec -- program --help", undefined]
  ])("of %j starts with %j", (args, line) => assert.strictEqual(firstLine(args), line))

  it("is as wide as the terminal, where that knows its size", () => {
    const style = (columns: number) =>
      helpStyleOf({ environment: {}, stdoutIsTerminal: true, columns: () => columns }).columns
    assert.deepStrictEqual([style(60), style(0)], [60, undefined])
  })

  it("leaves help to the parser where the build has written none", () => {
    const nowhere = new URL("nowhere.json", file)
    assert.isUndefined(firstLine("--help", nowhere))
    assert.strictEqual(firstLine("--version", nowhere), "1.2.3")
  })
})
