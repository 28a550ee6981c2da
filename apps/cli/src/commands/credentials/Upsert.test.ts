import { folderOfTest } from "@signalbox/testing/Folder"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
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
