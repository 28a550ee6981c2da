import { assert, describe, it } from "@effect/vitest"
import { anyProvider, type CredentialsInput, isAnyProvider, unusualFields, usualFields } from "./CredentialsInput.ts"

const grafana = ["webhookUrl", "alertUid", "title", "imageUrl", "state", "externalUrl"]

describe("the fields of credentials", () => {
  it.each<readonly [string, ReadonlyArray<string>]>([
    ["fcm", ["deviceTokens"]],
    ["slack", ["webhookUrl"]],
    ["mattermost", ["webhookUrl", "channel"]],
    ["grafana-on-call", grafana],
    ["sendgrid", ["deviceTokens", "channel", ...grafana]],
    ["carrier-pigeon", ["deviceTokens", "channel", ...grafana]]
  ])("of %s are %j", (provider, fields) => {
    assert.deepStrictEqual(usualFields(provider), fields)
  })

  it("that a provider does not use are named, those without a value left out", () => {
    // A caller without types.
    const unusual = (input: unknown) => unusualFields(input as CredentialsInput)
    const all = { deviceTokens: ["a"], channel: "b", webhookUrl: "c", title: undefined, own: 1 }
    assert.deepStrictEqual(unusual({ providerId: "fcm", credentials: all }), ["channel", "webhookUrl"])
    assert.deepStrictEqual(unusual({ providerId: "slack", credentials: all }), ["deviceTokens", "channel"])
    assert.deepStrictEqual(unusual(anyProvider("slack", all)), [])
    for (const input of [undefined, null, "text", {}, { providerId: "fcm", credentials: null }]) {
      assert.deepStrictEqual(unusual(input), [])
    }
    assert.deepStrictEqual(unusual({ providerId: "fcm", credentials: "text" }), [])
  })

  it("are free for any provider, also in a copy of the input", () => {
    const input = anyProvider("pigeon", { loft: 7 }, "main")
    assert.deepInclude<object>(input, { providerId: "pigeon", credentials: { loft: 7 }, integrationIdentifier: "main" })
    assert.isTrue(isAnyProvider(input))
    assert.isTrue(isAnyProvider({ ...input }))
    for (const other of [undefined, null, 7, {}]) assert.isFalse(isAnyProvider(other as CredentialsInput))
  })
})
