import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import type { KeySource } from "./NamedConnection.ts"
import { resolveApiKey } from "./ApiKey.ts"

const path = "/config.toml"

const secret = "sk-live-5f2d"

const resolve = (key: KeySource, environment = {}) =>
  resolveApiKey({ name: "eu", baseUrl: "https://api.example.com", readOnly: false, key }, { path, environment }).pipe(
    Effect.provide(NodeServices.layer)
  )

const command = (...parts: ReadonlyArray<string>) => resolve({ _tag: "Command", command: parts })

const script = (text: string) => resolve({ _tag: "Command", command: text })

const refusal = (effect: ReturnType<typeof resolve>) =>
  Effect.map(Effect.flip(effect), ({ message }) => {
    assert.notInclude(message, secret)
    assert.notInclude(message, "\n")
    return message
  })

describe("resolveApiKey", () => {
  it.effect("reads the key from the environment", () =>
    Effect.gen(function* () {
      const key = yield* resolve({ _tag: "Environment", variable: "ACME_KEY" }, { ACME_KEY: `${secret}\n` })
      assert.strictEqual(Redacted.value(key), secret)
      assert.notInclude(String(key) + JSON.stringify({ key }), secret)
    })
  )

  it.effect("names the variable that is not set", () =>
    Effect.gen(function* () {
      const message = yield* refusal(resolve({ _tag: "Environment", variable: "ACME_KEY" }, { ACME_KEY: " " }))
      assert.strictEqual(message, `${path}: connections.eu.apiKeyEnv: the environment variable ACME_KEY is not set`)
      assert.strictEqual(yield* refusal(resolve({ _tag: "Environment", variable: "ACME_KEY" })), message)
    })
  )

  it.effect("refuses characters that a header cannot carry", () =>
    Effect.gen(function* () {
      const message = yield* refusal(resolve({ _tag: "Environment", variable: "K" }, { K: `${secret}\nX-Header: 1` }))
      assert.include(message, "K holds characters that a key cannot have")
    })
  )

  it.effect("returns the first line that a program prints, with arguments passed unchanged", () =>
    Effect.gen(function* () {
      const key = yield* command(
        process.execPath,
        "-e",
        "console.log(process.argv[1]); console.log('user: ana')",
        `${secret}$HOME`
      )
      assert.strictEqual(Redacted.value(key), `${secret}$HOME`)
    })
  )

  it.effect("runs a string in the shell", () =>
    Effect.gen(function* () {
      assert.strictEqual(Redacted.value(yield* script(`echo noise >&2; echo ${secret} | cat`)), secret)
    })
  )

  it.effect("reports what the command wrote to stderr, and never what it printed to stdout", () =>
    Effect.gen(function* () {
      const message = yield* refusal(script(`echo ${secret}; printf 'not \\033[31munlocked\\nmore' >&2; exit 3`))
      assert.strictEqual(
        message,
        `${path}: connections.eu.apiKeyCommand: the command exited with code 3: not ^[[31munlocked`
      )
    })
  )

  it.effect("reports a command that failed without a word", () =>
    Effect.gen(function* () {
      assert.isTrue((yield* refusal(script("exit 3"))).endsWith("the command exited with code 3"))
    })
  )

  it.effect("reports that the command printed nothing", () =>
    Effect.gen(function* () {
      assert.include(yield* refusal(script("exit 0")), "the command printed nothing; its first line must be the key")
      assert.include(yield* refusal(script(`printf '${secret}\\001'`)), "holds characters that a key cannot have")
    })
  )

  it.effect("reports that the command cannot be run", () =>
    Effect.gen(function* () {
      assert.include(yield* refusal(command("/no/such/program")), "the command cannot be run (NotFound)")
    })
  )

  it.effect("does not wait for ever", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(refusal(command(process.execPath, "-e", "setInterval(() => {}, 1000)")), {
        startImmediately: true
      })
      yield* TestClock.adjust("1 minute")
      assert.include(
        yield* Fiber.join(fiber),
        "the command did not finish within 20s; it must print the key without asking"
      )
    })
  )
})
