import { assert, describe, it } from "@effect/vitest"
import { channelOfProvider, channelProviderIds, jobProviderIds } from "./Records.ts"

describe("channelOfProvider", () => {
  it("has a channel for each provider of the document, and none for others", () => {
    const of = (channel: string) => jobProviderIds.filter((id) => channelOfProvider(id) === channel).length
    assert.deepStrictEqual([of("email"), of("sms"), of("push"), of("in_app"), of("chat")], [20, 36, 8, 1, 12])
    assert.deepStrictEqual(["emailjs", "clickatell", "braze", "nexmo"].map(channelOfProvider), [
      "email",
      "sms",
      "email",
      "sms"
    ])
    assert.isUndefined(channelOfProvider("carrier-pigeon"))
  })

  it("has chat or push for each provider of credentials", () => {
    assert.deepStrictEqual(new Set(channelProviderIds.map(channelOfProvider)), new Set(["chat", "push"] as const))
  })
})
