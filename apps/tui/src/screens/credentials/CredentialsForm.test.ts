import type { ChannelSettings } from "@signalbox/core/Records"
import { assert, describe, it } from "@effect/vitest"
import { make as makeField } from "../../keyboard/TextField.ts"
import { type Facts, noFacts } from "../../state/Facts.ts"
import { changes, check, errors, inputOf, suggestions } from "./CredentialsForm.ts"
import { bodyLines, curlFor, pathOf } from "./CredentialsRequest.ts"
import { type CredentialsScreen, type FormField, make, shownFields } from "./CredentialsScreen.ts"
import { fieldsOf } from "./ProviderFields.ts"

const hook = "https://hooks.example.test/services/T0/B0/secret-x1z"

const form = (
  values: Partial<Record<FormField, string>>,
  given: Partial<CredentialsScreen> = {}
): CredentialsScreen => {
  const screen = make(1, "u_31870")
  const typed = Object.fromEntries(Object.entries(values).map(([field, value]) => [field, makeField(value)]))
  return { ...screen, ...given, values: { ...screen.values, ...typed } }
}

const knowing = (...channels: ReadonlyArray<ChannelSettings>): Facts => ({
  ...noFacts,
  subscribers: new Map([["u_31870", { subscriberId: "u_31870", profile: {}, profileFrom: undefined, channels }]])
})

const slack = (webhookUrl: string, integrationIdentifier?: string): ChannelSettings => ({
  providerId: "slack",
  _integrationId: "1",
  credentials: { webhookUrl },
  ...(integrationIdentifier === undefined ? {} : { integrationIdentifier })
})

const fcm = (...deviceTokens: ReadonlyArray<string>): ChannelSettings => ({
  providerId: "fcm",
  _integrationId: "2",
  credentials: { deviceTokens }
})

describe("check", () => {
  it.each<readonly [FormField, string, "ok" | "hint" | "error" | undefined]>([
    ["providerId", "slack", "ok"],
    ["providerId", "slak", "error"],
    ["providerId", "", "error"],
    ["integrationIdentifier", "anything", undefined],
    ["webhookUrl", hook, "ok"],
    ["webhookUrl", "http://hooks.example.test", "hint"],
    ["webhookUrl", "hooks", "error"],
    ["deviceTokens", "a b", "ok"],
    ["deviceTokens", "a,b\na", "hint"],
    ["title", "anything", undefined],
    ["providerId", hook, "error"],
    ["integrationIdentifier", hook, "error"],
    ["integrationIdentifier", "d".repeat(64), "error"],
    ["channel", hook, "hint"]
  ])("%s %j: %s", (field, value, kind) => {
    assert.strictEqual(check(form({ providerId: "slack", [field]: value }), field)?.kind, kind)
  })

  it("requires what the provider needs", () => {
    assert.deepStrictEqual(errors(form({ providerId: "slack" })), ["webhookUrl"])
    assert.deepStrictEqual(errors(form({ providerId: "fcm" })), ["deviceTokens"])
    assert.deepStrictEqual(errors(form({ providerId: "fcm", deviceTokens: "a" })), [])
    assert.deepStrictEqual(errors(form({})), ["providerId"])
  })

  it("shows the service's message about a field, and sends it again nevertheless", () => {
    const problem = {
      summary: "",
      advice: "",
      at: 0,
      fields: [{ path: "credentials.webhookUrl", message: "is gone" }]
    }
    const refused = form({ providerId: "slack", webhookUrl: hook }, { problem })
    assert.deepStrictEqual(check(refused, "webhookUrl"), { kind: "error", text: "the service says: is gone" })
    assert.deepStrictEqual(errors(refused), [])
  })
})

describe("fieldsOf", () => {
  it("finds no provider by a word that every object answers to", () => {
    for (const word of ["constructor", "__proto__", "toString"]) {
      assert.deepStrictEqual(fieldsOf(word), fieldsOf("no-such-provider"))
    }
  })
})

describe("suggestions", () => {
  it("puts what begins so before what contains it", () => {
    assert.deepStrictEqual(suggestions("slack"), ["slack", "service-slack"])
  })
})

describe("inputOf", () => {
  it("sends what is filled in and noFacts else", () => {
    assert.deepStrictEqual(inputOf(form({ providerId: "fcm", deviceTokens: " a, b\na " })), {
      providerId: "fcm",
      credentials: { deviceTokens: ["a", "b"] }
    })
    assert.deepStrictEqual(inputOf(form({ providerId: "slack", integrationIdentifier: "main", webhookUrl: hook })), {
      providerId: "slack",
      integrationIdentifier: "main",
      credentials: { webhookUrl: hook }
    })
    assert.isUndefined(inputOf(form({ providerId: "carrier-pigeon" })))
  })

  it("keeps a field that another provider had, since it is shown", () => {
    const screen = form({ providerId: "fcm", webhookUrl: hook })
    assert.include(shownFields(screen), "webhookUrl")
    assert.deepStrictEqual(inputOf(screen)?.credentials, { webhookUrl: hook })
  })
})

describe("changes", () => {
  it("reports unknown and missing values", () => {
    const screen = form({ providerId: "slack", webhookUrl: hook })
    assert.deepStrictEqual(changes(screen, noFacts), [
      "chat/slack webhookUrl: not known (no read in this API) becomes ****-x1z"
    ])
    assert.deepStrictEqual(changes(screen, knowing()), ["chat/slack webhookUrl: none becomes ****-x1z"])
  })

  it("compares with what is stored", () => {
    const screen = form({ providerId: "slack", webhookUrl: hook })
    assert.deepStrictEqual(changes(screen, knowing(slack("https://old.example.test/abcd"), fcm("t"))), [
      "chat/slack webhookUrl: ****abcd becomes ****-x1z",
      "fcm: unchanged"
    ])
    assert.deepStrictEqual(changes(screen, knowing(slack(hook))), ["chat/slack webhookUrl: unchanged"])
  })

  it("finds the stored credentials of the integration, or of the provider when the service does not tell", () => {
    const screen = form({ providerId: "slack", integrationIdentifier: "eu", webhookUrl: hook })
    assert.deepStrictEqual(
      changes(
        screen,
        knowing(slack("https://us.example.test/usus", "us"), slack("https://eu.example.test/eueu", "eu"))
      ),
      ["chat/slack (integration eu) webhookUrl: ****eueu becomes ****-x1z", "slack (integration us): unchanged"]
    )
    assert.include(changes(screen, knowing(slack("https://us.example.test/usus"))).join(), "****usus becomes")
    assert.include(changes(screen, knowing(slack("https://us.example.test/usus", "us"))).join(), "none becomes")
  })

  it("counts the tokens that are new", () => {
    const screen = form({ providerId: "fcm", deviceTokens: "a b c" })
    assert.deepStrictEqual(changes(screen, knowing(fcm("a", "z"))), [
      "push/fcm: 2 tokens, adds 2; a token can be added here, never removed"
    ])
    assert.include(changes(screen, knowing()).join(), "push/fcm: none, adds 3;")
    assert.include(changes(screen, noFacts).join(), "not known (no read in this API), sends 3;")
  })

  it("shows what is not a secret", () => {
    const screen = form({ providerId: "mattermost", webhookUrl: hook, channel: "town-square" })
    assert.include(changes(screen, knowing()), 'chat/mattermost channel: none becomes "town-square"')
  })

  it("returns noFacts for a form that stands for no request", () => {
    assert.deepStrictEqual(changes(form({}), knowing(fcm("t"))), [])
  })
})

describe("the request", () => {
  const screen = form({ providerId: "slack", webhookUrl: hook })

  it("hides secrets in the preview until they are revealed", () => {
    assert.notInclude(bodyLines(screen).join(), hook)
    assert.include(bodyLines({ ...screen, revealedUntil: 1 }).join(), hook)
    assert.include(bodyLines(form({ providerId: "fc" })).join(), '"providerId": "fc"')
  })

  it("hides a webhook URL that was put into another field, in the preview and in what changes", () => {
    const elsewhere = form({ providerId: "mattermost", integrationIdentifier: hook, channel: hook, title: hook })
    assert.notInclude(bodyLines(elsewhere).join(), hook)
    assert.notInclude(changes(elsewhere, noFacts).join(), hook)
    assert.notInclude(bodyLines(form({ providerId: hook })).join(), hook)
    for (const field of ["providerId", "integrationIdentifier", "channel"] as const) {
      assert.notInclude(check(form({ [field]: hook }), field)?.text, hook)
    }
  })

  it("is a command that can be run", () => {
    assert.strictEqual(pathOf(screen), "/v1/subscribers/u_31870/credentials")
    assert.include(
      curlFor(screen, { baseUrl: "https://api.example.com/" }),
      "'https://api.example.com/v1/subscribers/u_31870/credentials'"
    )
    assert.notInclude(curlFor(screen, { baseUrl: "https://api.example.com/" }), hook)
  })
})
