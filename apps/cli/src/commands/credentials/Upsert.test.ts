import { folderOfTest } from "@signalbox/testing/Folder"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { run, type RunOptions, serveFake, type ServedFake } from "../../../test/CommandLineTest.ts"
import { fieldFlags, fieldsOf } from "./FieldFlags.ts"

const webhook = "https://hooks.example.test/services/T0/B0/K7q2x9"

const token = "fcm-device-token-4f1c8a"

let served: ServedFake
let folder: string

beforeEach(async () => {
  served = await serveFake({ data: "empty" })
  served.fake.addSubscriber({ subscriberId: "u_1" })
  served.fake.addIntegration({ providerId: "slack" })
  served.fake.addIntegration({ providerId: "fcm" })
  folder = folderOfTest()
  writeFileSync(join(folder, "webhook"), `${webhook}\n`)
  writeFileSync(join(folder, "empty"), "\n")
})

afterEach(() => served.close())

const upsert = Effect.fnUntraced(function* (args: ReadonlyArray<string>, options: RunOptions = {}) {
  const words = args.map((word) => word.replace("FOLDER", folder))
  const ran = yield* run(["credentials", "upsert", "--subscriber", "u_1", ...words], {
    ...options,
    environment: { ...served.environment, ...options.environment }
  })
  for (const secret of [webhook, token]) assert.notInclude(ran.stdout + ran.stderr + ran.questions.join(""), secret)
  return ran
})

/** The fake's record of the subscriber. */
const stored = (): string =>
  JSON.stringify(served.fake.state().subscribers.find(({ subscriberId }) => subscriberId === "u_1"))

const requests = () => served.fake.journal.entries()

describe("credentials upsert", () => {
  it.effect.each([
    { from: "a file", args: ["--webhook-url", "@FOLDER/webhook", "--yes"], options: {} },
    { from: "stdin", args: ["--webhook-url", "-", "--yes"], options: { stdin: `${webhook}\n` } },
    {
      from: "the environment",
      args: ["--webhook-url", "env:HOOK", "--yes"],
      options: { environment: { HOOK: webhook } }
    },
    { from: "a prompt", args: ["--yes"], options: { columns: 80, answers: [webhook] } },
    {
      from: "a prompt instead of stdin",
      args: ["--webhook-url", "-", "--yes"],
      options: { columns: 80, answers: [webhook] }
    }
  ])("reads a secret from $from", ({ args, options }) =>
    Effect.gen(function* () {
      const ran = yield* upsert(["--provider", "slack", ...args], options)
      assert.strictEqual(ran.exitCode, 0, ran.stderr)
      assert.include(stored(), webhook)
    })
  )

  it.effect("accepts several device tokens", () =>
    Effect.gen(function* () {
      const ran = yield* upsert(["--provider", "fcm", "--device-token", "-", "--device-token", "env:TOKEN", "--yes"], {
        stdin: "a\nb\n",
        environment: { TOKEN: token }
      })
      assert.strictEqual(ran.exitCode, 0, ran.stderr)
      assert.include(stored(), `"a","b","${token}"`)
    })
  )

  it.effect.each([
    { args: ["--provider", "slak"], line: '--provider: unknown provider "slak"; did you mean slack?' },
    {
      args: ["--provider", "slack", "--webhook-url", webhook, "--yes"],
      line: "--webhook-url: a secret must not be an argument"
    },
    { args: ["--provider", "slack", "--webhook-url", "@FOLDER/none", "--yes"], line: "/none: no such file" },
    {
      args: ["--provider", "slack", "--webhook-url", "@FOLDER/empty", "--yes"],
      line: "--webhook-url: the secret is empty"
    },
    {
      args: ["--provider", "slack", "--webhook-url", "env:SIGNALBOX_API_KEY", "--yes"],
      line: "--webhook-url: not a URL"
    },
    {
      args: ["--provider", "slack", "--webhook-url", "env:NOPE", "--yes"],
      line: "the environment variable NOPE is not set"
    },
    { args: ["--provider", "slack", "--yes"], line: "missing flag --webhook-url: give @FILE, - for stdin or env:NAME" },
    {
      args: ["--provider", "slack", "--device-token", "-"],
      line: "--device-token is not a field of slack; its fields are --webhook-url"
    },
    {
      args: ["--provider", "slack", "--webhook-url", "@FOLDER/webhook"],
      line: "needs --yes, or a terminal to confirm on"
    },
    { args: [], line: 'missing flag --provider for "signalbox credentials upsert"' }
  ])("refuses $args and sends nothing", ({ args, line }) =>
    Effect.gen(function* () {
      const ran = yield* upsert(args)
      assert.deepStrictEqual([ran.exitCode, ran.stdout], [2, ""])
      assert.include(ran.stderr, line)
      assert.lengthOf(requests(), 0)
    })
  )

  it.effect("prints the redacted request of a dry run and sends nothing", () =>
    Effect.gen(function* () {
      const args = ["--provider", "slack", "--webhook-url", "@FOLDER/webhook", "--dry-run"]
      const { stdout } = yield* upsert(args)
      const { body, headers, method, url } = JSON.parse(stdout)
      assert.deepStrictEqual(
        { body, authorization: headers.authorization, method, path: new URL(url).pathname },
        {
          body: { providerId: "slack", credentials: { webhookUrl: "<redacted>" } },
          authorization: "<redacted>",
          method: "PATCH",
          path: "/v1/subscribers/u_1/credentials"
        }
      )
      const shown = yield* upsert(args, { columns: 80 })
      const stable = shown.stdout.replace(/:\d{4,5}/u, ":PORT").replace(/idempotency-key: .+/u, "idempotency-key: KEY")
      yield* Effect.promise(() => expect(stable).toMatchFileSnapshot("../../../test/golden/credentials-dry-run.txt"))
      assert.lengthOf(requests(), 0)
    })
  )

  it.effect("is refused on a read-only connection before a key or a secret is read", () =>
    Effect.gen(function* () {
      mkdirSync(join(folder, "signalbox"))
      writeFileSync(
        join(folder, "signalbox", "config.toml"),
        `[connections.eu]\nbaseUrl = "${served.url}"\napiKeyCommand = "touch ${folder}/asked; echo key"\nreadOnly = true\n`
      )
      const ran = yield* upsert(["--provider", "slack", "--connection", "eu"], {
        columns: 80,
        environment: { XDG_CONFIG_HOME: folder }
      })
      assert.deepStrictEqual([ran.exitCode, ran.questions], [5, []])
      assert.include(ran.stderr, 'connection "eu" is read-only')
      assert.lengthOf(requests(), 0)
    })
  )

  it("has the fields of the API document for each provider", () => {
    assert.deepStrictEqual(fieldsOf("fcm"), ["deviceTokens"])
    assert.deepStrictEqual(fieldsOf("slack"), ["webhookUrl"])
    assert.deepStrictEqual(fieldsOf("mattermost"), ["webhookUrl", "channel"])
    assert.deepStrictEqual(
      fieldsOf("grafana-on-call").map((field) => fieldFlags[field].name),
      ["webhook-url", "alert-uid", "title", "image-url", "state", "external-url"]
    )
  })
})
