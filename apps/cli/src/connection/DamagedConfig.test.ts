import { assert, describe, it } from "@effect/vitest"
import { parseConfigFile } from "@signalbox/operator/node"
import { damagesOf } from "@signalbox/testing/Damage"
import * as Result from "effect/Result"

const whole = `default = "staging"

[connections.staging]
baseUrl = "https://api.example.com"
apiKeyEnv = "STAGING_KEY"
readOnly = true

[views]
push = "status:failed channel:push"

[[rules]]
match = "sender not verified"
title = "the sender is not verified"
advice = "Verify the sender."
owner = "provider"
`

describe("a damaged config.toml", () => {
  it("is rejected in one line with its path and the place, where it is not read", () => {
    const settings = Result.getOrThrow(parseConfigFile("config.toml", whole))
    assert.deepStrictEqual([settings.connections.length, settings.views.length], [1, 1])
    let rejected = 0
    for (const { bytes, damage } of damagesOf(whole)) {
      const read = parseConfigFile("config.toml", bytes.toString())
      if (Result.isSuccess(read)) continue
      const { message } = read.failure
      assert.match(message, /^config\.toml(?::\d+|[ :]).+$/u, damage)
      assert.notInclude(message, "\n", damage)
      rejected += 1
    }
    assert.isAbove(rejected, 800)
  })
})
