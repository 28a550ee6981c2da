import { assert, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { environmentConnection, environmentName } from "./EnvironmentConnection.ts"

const url = "https://api.example.com/v1"
const key = "sk-live-5f2d"

it.each([
  [{}, undefined],
  [{ SIGNALBOX_BASE_URL: "", SIGNALBOX_API_KEY: "" }, undefined],
  [{ SIGNALBOX_BASE_URL: url, SIGNALBOX_API_KEY: key }, "api.example.com"],
  [{ SIGNALBOX_BASE_URL: url }, "SIGNALBOX_BASE_URL is set without SIGNALBOX_API_KEY"],
  [{ SIGNALBOX_API_KEY: key }, "SIGNALBOX_API_KEY is set without SIGNALBOX_BASE_URL"],
  [
    { SIGNALBOX_BASE_URL: url, SIGNALBOX_API_KEY: "ApiKey x" },
    "SIGNALBOX_API_KEY must be one line of visible ASCII characters"
  ],
  [
    { SIGNALBOX_BASE_URL: url, SIGNALBOX_API_KEY: "x\n" },
    "SIGNALBOX_API_KEY must be one line of visible ASCII characters"
  ],
  [
    { SIGNALBOX_BASE_URL: url, SIGNALBOX_API_KEY: "ключ" },
    "SIGNALBOX_API_KEY must be one line of visible ASCII characters"
  ],
  [{ SIGNALBOX_BASE_URL: key, SIGNALBOX_API_KEY: url }, "SIGNALBOX_BASE_URL must be an http or https URL"]
])("%j is read as %s, and the key is never shown", (environment, expected) => {
  const text = Result.match(environmentConnection(environment), {
    onFailure: (problem) => problem.split(";")[0]?.split(",")[0],
    onSuccess: (connection) => connection?.name
  })
  assert.strictEqual(text, expected)
})

it("rejects a name next to a URL", () => {
  assert.deepStrictEqual(environmentName({ SIGNALBOX_CONNECTION: "eu" }), Result.succeed("eu"))
  assert.isTrue(Result.isFailure(environmentName({ SIGNALBOX_CONNECTION: "eu", SIGNALBOX_BASE_URL: url })))
})
