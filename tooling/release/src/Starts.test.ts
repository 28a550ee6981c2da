import { runtimes } from "@signalbox/runtimes"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { delimiter, dirname, join } from "node:path"
import { createInterface } from "node:readline"
import { type Consumer, makeConsumer } from "./Consumer.ts"
import { packedTarballs } from "./PackedTarballs.ts"
import { catalogVersion, repository } from "./Repository.ts"

/** A code block of a page. */
interface Block {
  readonly language: string
  readonly title: string | undefined
  readonly text: string
}

const pageOf = (name: string): string => readFileSync(join(repository, "docs", "start", name), "utf8")

const blocksOf = (page: string): ReadonlyArray<Block> =>
  Array.from(
    page.matchAll(/^```(\w+)(?: title="([^"]+)")?\n([^]*?)^```$/gmu),
    ([, language = "", title, text = ""]) => ({ language, title, text })
  )

/**
 * Output without what differs in every run: durations, times, identifiers, and where the timeline breaks a line, which
 * depends on the clock.
 */
const comparable = (output: string): ReadonlyArray<string> =>
  output
    .replaceAll(/\d+(?:\.\d+)?ms/gu, "0ms")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/gu, "TIME")
    .replaceAll(/[\da-f]{8}-[\da-f-]{27}/gu, "KEY")
    .split(/\n|, /u)
    .map((part) => part.trim().replace(/^\d+ +(?:> )?/u, ""))
    .filter((part) => part !== "")

/** The printed parts that a page shows, in their order; `…` stands for the others. */
const withEllipsis = (printed: ReadonlyArray<string>, expected: ReadonlyArray<string>): ReadonlyArray<string> => {
  let from = 0
  return expected.filter((line) => {
    if (line === "…") return true
    const at = printed.indexOf(line, from)
    if (at >= 0) from = at + 1
    return at >= 0
  })
}

/** A shell in a terminal of 80 columns; without `script` of Linux, one without a terminal, which prints JSON. */
const inTerminal = (line: string): readonly [program: string, words: ReadonlyArray<string>] =>
  process.platform === "linux"
    ? ["script", ["--quiet", "--return", "--command", `stty cols 80; ${line}`, "/dev/null"]]
    : ["sh", ["-c", line]]

/** The Nodes that the pages are for, by their names in the catalog. An older one gets one sentence; see `OldNode.test.ts`. */
const nodes = { "Node 20": "node-20", "Node 22": "node-22", "Node 24": "node" } as const

describe.each(["Node 20", "Node 22", "Node 24"] as const)("the five-minute start on %s", (runtime) => {
  const hasApps = runtime !== "Node 20"
  const packed = packedTarballs(hasApps ? ["sdk", "test-harness", "cli"] : ["sdk", "test-harness"])
  const bin = dirname(runtimes[runtime])
  let consumer: Consumer
  let fake: ChildProcess | undefined
  let environment: Readonly<Record<string, string>> = {}

  beforeAll(async () => {
    consumer = makeConsumer({
      folder: join(packed.folder, "starts"),
      tarballs: packed.all(),
      registry: {},
      nodeVersion: catalogVersion(nodes[runtime]).replace("npm:node@", "")
    })
    const PATH = `${bin}${delimiter}${process.env["PATH"] ?? ""}`
    const served = spawn(join(consumer.folder, "node_modules", ".bin", "signalbox-fake"), ["--seed", "7"], {
      cwd: consumer.folder,
      env: { PATH },
      stdio: ["ignore", "pipe", "inherit"]
    })
    fake = served
    const [line] = await once(createInterface(served.stdout), "line")
    const { apiKey, url }: { readonly apiKey: string; readonly url: string } = JSON.parse(String(line))
    environment = { PATH, SIGNALBOX_BASE_URL: url, SIGNALBOX_API_KEY: apiKey }
  })

  afterAll(() => {
    fake?.kill()
  })

  /** Does what a page says: saves its files, runs its commands, and compares what they print. */
  const follow = (page: string): number => {
    let ran = 0
    for (const { language, text, title } of blocksOf(page)) {
      if (title !== undefined) consumer.write(title, text)
      if (language !== "console") continue
      const [first = "", ...shown] = text.split("\n")
      const line = first.replace(/^\$ /u, "")
      if (line.startsWith("npx -p @signalbox/test-harness signalbox-fake")) {
        // It runs already, on a free port.
        assert.deepStrictEqual(JSON.parse(shown.join("")).apiKey, environment["SIGNALBOX_API_KEY"])
        continue
      }
      const spec = line === "node --test" ? "node --test --test-reporter=spec" : line
      const { output } = consumer.run("sh", ["-c", spec], environment)
      const printed = comparable(output)
      const expected = comparable(shown.join("\n"))
      assert.deepStrictEqual(expected.includes("…") ? withEllipsis(printed, expected) : printed, expected, line)
      ran += 1
    }
    return ran
  }

  it("of the library prints what its page shows", () => {
    assert.strictEqual(follow(pageOf("library.md")), 3)
  })

  it("of tests prints what its page shows", () => {
    assert.strictEqual(follow(pageOf("tests.md")), 2)
  })

  it.runIf(hasApps)(
    "of the terminal works with the packed command; the tests of the command line compare what it prints",
    () => {
      const commands = blocksOf(pageOf("terminal.md")).flatMap(({ language, text }) =>
        language === "console" ? text.split("\n").filter((line) => line.startsWith("$ ")) : []
      )
      assert.isAbove(commands.length, 2)
      for (const line of commands) {
        const { output, status } = consumer.run(...inTerminal(`PATH=node_modules/.bin:$PATH; ${line.slice(2)}`), {
          PATH: environment["PATH"] ?? "",
          NO_COLOR: "1",
          SLACK_WEBHOOK: "https://hooks.example.test/T0/B0/K7q2x9",
          HOME: consumer.folder
        })
        assert.strictEqual(status, 0, output)
        assert.isNotEmpty(output)
        if (process.platform !== "linux") continue
        // The command that fixes an event is one line, to be copied.
        const long = output.split(/\r?\n/u).filter((row) => row.length > 80 && !row.startsWith("fix "))
        assert.deepStrictEqual(long, [])
      }
    }
  )
})
