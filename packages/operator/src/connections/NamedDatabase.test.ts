import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { findDatabase, parseConfigFile } from "./ConfigFile.ts"

const path = "/home/ana/.config/signalbox/config.toml"
const secret = "postgres://ana:hunter2@db.test/bulk"
const publicKey = `public-${"x".repeat(43)}`

const refusal = (...lines: ReadonlyArray<string>): string => {
  const { message } = Result.getOrThrow(Result.flip(parseConfigFile(path, ["[databases.eu]", ...lines].join("\n"))))
  assert.notInclude(message, "hunter2")
  assert.isTrue(message.startsWith(`${path}: databases.eu`))
  return message.slice(`${path}: databases.eu`.length)
}

describe("a database of the configuration file", () => {
  const file = Result.getOrThrow(
    parseConfigFile(
      path,
      `[databases.eu]
databaseUrlEnv = "BULK_DATABASE_URL"
inputKeyCommand = ["pass", "bulk"]
inputPublicKey = "${publicKey}"
[databases.us]
databaseUrlCommand = "pass us"`
    )
  )

  it("is read", () =>
    assert.deepStrictEqual(file.databases, [
      {
        name: "eu",
        databaseUrl: { _tag: "Environment", variable: "BULK_DATABASE_URL" },
        inputKey: { _tag: "Command", command: ["pass", "bulk"] },
        inputPublicKey: publicKey
      },
      { name: "us", databaseUrl: { _tag: "Command", command: "pass us" } }
    ]))

  it("is found by name", () => {
    assert.strictEqual(Result.getOrThrow(findDatabase(file, "us")).name, "us")
    const error = Result.getOrThrow(Result.flip(findDatabase(file, "uss")))
    assert.include(error.message, 'no database is named "uss"; did you mean us? Expected one of: eu, us')
  })

  it.each([
    [[`databaseUrl = "${secret}"`], ".databaseUrl: do not put a secret in this file"],
    [[`databaseUrlEnv = "${secret}"`], ".databaseUrlEnv: must be the name of an environment variable"],
    [["databaseUrlCommand = []"], ".databaseUrlCommand: must be a program with its arguments"],
    [['databaseUrlCommand = " "'], ".databaseUrlCommand: must be a program with its arguments"],
    [['databaseUrlCommand = ["pass", ""]'], ".databaseUrlCommand: must be a program with its arguments"],
    [["databaseUrlCommand = 1"], ".databaseUrlCommand: must be a program with its arguments"],
    [['databaseUrlEnv = "A"', 'databaseUrlCommand = "b"'], ": has both databaseUrlEnv and databaseUrlCommand"],
    [[`inputPublicKey = "${publicKey}"`], ": has no database"],
    // The key of the workers, which is a secret.
    [
      ['databaseUrlEnv = "A"', `inputPublicKey = "${publicKey.slice("public-".length)}"`],
      ".inputPublicKey: must be the publicKey that"
    ],
    [['databaseUrlEnv = "A"', 'inputPublicKey = "hunter2"'], ".inputPublicKey: must be the publicKey that"],
    [["databaseUrlENV = 1"], ".databaseUrlENV: unknown key; did you mean databaseUrlEnv?"]
  ])("is refused: %j", (lines, message) => assert.include(refusal(...lines), message))
})
