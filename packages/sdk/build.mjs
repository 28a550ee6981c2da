// Builds a package without dependencies. `isSignalboxError` and the
// code of each kind of call have separate files, so that bundlers can drop what a program does not use.
import { readFileSync } from "node:fs"
import { buildStandalone } from "@signalbox/node-build/StandaloneBuild"

const { version } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"))

await buildStandalone(import.meta.dirname, {
  inlined: ["@signalbox/core", "effect"],
  define: { __SIGNALBOX_VERSION__: JSON.stringify(version) },
  chunks: [
    {
      name: "errors",
      modules: /\/(?:core\/src\/errors|sdk\/src)\/(?:Errors|OperationErrors?|SignalboxError|TaggedError)\.ts$/
    },
    { name: "effect", modules: /\/node_modules\/effect\// },
    { name: "events", modules: /\/(?:EventWalk|EventCursor|EventList|Iteration)\.ts$|\/sdk\/src\/Events\.ts$/ },
    { name: "credentials", modules: /\/(?:Credentials\w*|UpsertCredentials\w*)\.ts$/ },
    {
      name: "calls",
      modules:
        /\/(?:CallOperation|DeclaredCall|DeclaredOperation|SchemaChecks|SecretPositions|StandardSchema|WholeClient)\.ts$|\/sdk\/src\/Calls\.ts$/
    },
    { name: "messages", modules: /\/(?:Messages\w*|MarkM\w*)\.ts$/ },
    {
      name: "client",
      modules: /\/(?:core|sdk)\/src\/(?!index|node|CreateClient|ClientFromEnv|WholeClient|transport\/Undici)/
    }
  ]
})
