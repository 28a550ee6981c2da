/**
 * The modules that examples can import in the page, and the files that they are served from.
 */
export const modules: Readonly<Record<string, string>> = {
  "@signalbox/sdk": "/playground/sdk.js",
  "@signalbox/sdk/effect": "/playground/sdk-effect.js",
  "@signalbox/test-harness": "/playground/fake.js",
  "@signalbox/test-harness/effect": "/playground/fake-effect.js",
  "effect/Effect": "/playground/effect-Effect.js",
  "effect/Fiber": "/playground/effect-Fiber.js",
  "effect/Layer": "/playground/effect-Layer.js",
  "effect/Stream": "/playground/effect-Stream.js"
}
