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

const specifier = /(?<=\bfrom\s*|\bimport\s*\(?\s*)"([^".][^"]*)"/g

/** The imports of a program that the page does not have. */
export const missingModules = (code: string): ReadonlyArray<string> =>
  [...code.matchAll(specifier)].map(([, name = ""]) => name).filter((name) => modules[name] === undefined)

/** The program with URLs instead of module names. */
export const withUrls = (code: string, origin: string): string =>
  code.replaceAll(specifier, (whole, name: string) =>
    modules[name] === undefined ? whole : JSON.stringify(origin + modules[name])
  )
