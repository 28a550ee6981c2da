import { folderOfTest } from "@signalbox/testing/Folder"
import { describe, expect, it } from "@effect/vitest"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { Fault, reproductionToken } from "../index.ts"
import { commandPage } from "../../test/CommandPage.ts"
import { readArguments } from "./Arguments.ts"
import { readCheckArguments } from "./CheckArguments.ts"
import { readRecordArguments } from "./RecordArguments.ts"
import { readPreset } from "../server/PresetFile.ts"

const standard = { port: 0, host: "127.0.0.1", environment: { vendor: "service" } }

const token = reproductionToken({ data: "empty", seed: 7, vendor: "acme", faults: [Fault.status(418)] })

/** The message of the mistake that a reader reports. */
const messageOf = (read: () => object): string => {
  try {
    read()
  } catch (error) {
    if (error instanceof RangeError) return error.message
    throw error
  }
  throw new Error("accepted")
}

/** Compares the message about each command line with those in a file. */
const refusals = async (
  read: (words: ReadonlyArray<string>) => object,
  lines: ReadonlyArray<ReadonlyArray<string>>,
  file: string
): Promise<void> => {
  const messages = lines.map((words) => {
    return `${words.join(" ")}\n  ${messageOf(() => read(words))}\n`
  })
  await expect(messages.join("")).toMatchFileSnapshot(file)
}

describe("the options of signalbox-fake", () => {
  it.each<readonly [ReadonlyArray<string>, object]>([
    [[], standard],
    [["--port", "65535", "--host", "::1"], { ...standard, port: 65_535, host: "::1" }],
    [
      ["--host", "0.0.0.0", "--api-key", "team-key"],
      { ...standard, host: "0.0.0.0", environment: { vendor: "service", apiKey: "team-key" } }
    ],
    [["--allow-origin", "http://localhost:3000"], { ...standard, allowOrigin: "http://localhost:3000" }],
    [
      ["--seed", "4294967295", "--demo"],
      { ...standard, environment: { vendor: "service", seed: 4_294_967_295, data: "demo" } }
    ],
    [
      ["--preset", "seeded(4)", "--empty", "--vendor", "acme"],
      { ...standard, environment: { vendor: "acme", preset: "seeded(4)", data: "empty" } }
    ],
    [
      ["--reproduce", token, "--seed", "8"],
      {
        ...standard,
        environment: {
          vendor: "acme",
          data: "empty",
          seed: 8,
          faults: [{ form: { _tag: "Status", status: 418 }, point: "received" }]
        }
      }
    ]
  ])("%j", (words, expected) => {
    expect(readArguments(words)).toEqual({ _tag: "Serve", arguments: expected })
  })

  it.each(["0.0.0.0", "::", "192.168.1.2", "fake.internal"])("have a random key for --host %s", (host) => {
    const keyOf = () => {
      const request = readArguments(["--host", host])
      return request._tag === "Serve" ? request.arguments.environment.apiKey : undefined
    }
    const key = keyOf()
    expect(key).toMatch(/^fake-key-[\da-f-]{36}$/u)
    expect(keyOf()).not.toBe(key)
  })

  it("have the version of the package", () => {
    expect(readArguments(["--version"])).toEqual({ _tag: "Print", text: "source\n" })
  })

  it("refused.txt has the message of each mistake", () =>
    refusals(
      readArguments,
      [
        ["--prot", "1"],
        ["--empty", "--pre=x"],
        ["--port=1", "--presets=x"],
        ["now"],
        ["chek", "--runs", "1"],
        ["--port", "65536"],
        ["--port", ""],
        ["--port"],
        ["--port", "--seed", "1"],
        ["--empty=1"],
        ["--seed", "1", "now"],
        ["--api-key", "key-of-a-team", "--prot", "1"],
        ["--seed", "1.5"],
        ["--seed", "-1"],
        ["--seed", "4294967296"],
        ["--preset", "mine"],
        ["--preset", "none.json"],
        ["--vendor", "two words"],
        ["--vendor", ""],
        ["--demo", "--empty"],
        ["--reproduce", "x"],
        ["--api-key", "two words"],
        ["--api-key", ""],
        ["--allow-origin", "localhost"],
        ["--allow-origin", "http://localhost:3000/"]
      ],
      "./refused.txt"
    ))

  it("docs/fake-command.md has the help of all commands (vitest run -u updates it)", async () => {
    const helpOf = (printed: object): string => ("text" in printed ? String(printed.text) : "")
    expect(helpOf(readArguments(["-h"]))).toBe(helpOf(readArguments(["--help"])))
    const page = commandPage({
      serve: helpOf(readArguments(["--help"])),
      check: helpOf(readCheckArguments(["--help", "--", "true"])),
      record: helpOf(readRecordArguments(["--help"]))
    })
    await expect(page).toMatchFileSnapshot("../../../../docs/fake-command.md")
  })
})

describe("the options of signalbox-fake check", () => {
  it.each<readonly [ReadonlyArray<string>, object, ReadonlyArray<string>]>([
    [["--", "true"], {}, ["true"]],
    [["--", "node", "--runs", "--", "x"], {}, ["node", "--runs", "--", "x"]],
    [
      ["--runs", "1000000", "--seed", "3", "--deadline-ms", "600000", "--max-requests", "1000", "--", "true"],
      { runs: 1_000_000, seed: 3, deadlineMs: 600_000, maxRequests: 1_000 },
      ["true"]
    ],
    [
      ["--vendor", "acme", "--aborts", "--reproduce", token, "--", "true"],
      { vendor: "acme", aborts: true, reproduce: token },
      ["true"]
    ]
  ])("%j", (words, options, command) => {
    expect(readCheckArguments(words)).toEqual({ _tag: "Check", command, options })
  })

  it("refusedChecks.txt has the message of each mistake", () =>
    refusals(
      readCheckArguments,
      [
        [],
        ["--"],
        ["--rnus", "1", "--", "true"],
        ["--runs", "1000001", "--", "true"],
        ["--runs", "0", "--", "true"],
        ["--seed", "x", "--", "true"],
        ["--deadline-ms", "600001", "--", "true"],
        ["--max-requests", "1001", "--", "true"],
        ["--vendor", "a b", "--", "true"]
      ],
      "./refusedChecks.txt"
    ))
})

describe("the options of signalbox-fake record", () => {
  const place = { host: "127.0.0.1", port: 0 }

  it.each<readonly [ReadonlyArray<string>, object]>([
    [
      ["--upstream", "https://api.example.test/base", "--out", "a.json", "--port", "4011"],
      { _tag: "Record", upstream: "https://api.example.test/base", out: "a.json", place: { ...place, port: 4011 } }
    ],
    [["--replay", "a.json"], { _tag: "Replay", file: "a.json", place }],
    [
      ["--drift", "a.json", "--preset", "observed", "--vendor", "acme"],
      { _tag: "Drift", file: "a.json", expected: { preset: "observed", vendor: "acme" } }
    ]
  ])("%j", (words, expected) => {
    expect(readRecordArguments(words)).toEqual(expected)
  })

  it("refusedRecords.txt has the message of each mistake", () =>
    refusals(
      readRecordArguments,
      [
        [],
        ["--replay", "a", "--drift", "b"],
        ["--upstream", "api.example.test", "--out", "a"],
        ["--upstream", "http://api.example.test"]
      ],
      "./refusedRecords.txt"
    ))
})

describe("a file of operations", () => {
  const read = (text: string) => {
    const file = join(folderOfTest(), "operations.json")
    writeFileSync(file, text)
    return { file, request: () => readCheckArguments(["--operations", file, "--", "true"]) }
  }

  it("has the operations that the check calls, too", () => {
    const { request } = read('[{"name":"topics.list","method":"GET","path":"/v1/topics"}]')
    expect(request()).toMatchObject({ options: { operations: [{ name: "topics.list", "~callable": {} }] } })
  })

  it.each([
    ["{}", ": must be an array"],
    [
      '[{"name":"topics","method":"GET","path":"/"}]',
      ".0.name: must be a resource and an action, such as events.trigger"
    ]
  ])("%s is refused", (text, message) => {
    const { file, request } = read(text)
    expect(messageOf(request)).toBe(`--operations ${file}${message}`)
  })
})

describe("a preset file", () => {
  it.each<readonly [string, object | string]>([
    ['{"version":1}', { preset: "document", switches: {} }],
    [
      '{"version":1,"extends":"observed","switches":{"envelope":"bare"},"evidence":{"envelope":"seen"}}',
      { preset: "observed", switches: { envelope: "bare" } }
    ],
    ["{", "--preset FILE: is not valid JSON"],
    ['{"version":2}', "preset file.version: must be 1, not 2"],
    [
      '{"version":1,"extends":"mine"}',
      'preset file.extends: must be one of document, observed, adversarial, seeded(n), not "mine"'
    ],
    [
      '{"version":1,"switches":{"envelope":"boxed"}}',
      'preset file.switches.envelope: must be one of bare, data, not "boxed"'
    ],
    ['{"version":1,"evidence":{"envelope":7}}', "preset file.evidence.envelope: must be a string, not 7"]
  ])("%s", (text, expected) => {
    const file = join(folderOfTest(), "team.json")
    writeFileSync(file, text)
    if (typeof expected === "object") expect(readPreset(file)).toEqual(expected)
    else expect(() => readPreset(file)).toThrow(new RangeError(expected.replace("FILE", file)))
  })

  it("is not needed for the name of a preset", () => {
    expect(readPreset("adversarial")).toEqual({ preset: "adversarial" })
  })
})
