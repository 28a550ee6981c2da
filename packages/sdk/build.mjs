// After `tsc`, which writes the declarations: one package that needs no other. `isSignalboxError` is in a file of its own,
// and so is what only one kind of call needs, so that bundlers can leave the rest out.
import { buildStandalone } from "@signalbox/node-build/StandaloneBuild"

await buildStandalone(import.meta.dirname, {
  inlined: ["@signalbox/core", "effect"],
  chunks: [
    { name: "errors", modules: /\/core\/src\/errors\/(?:SignalboxError|OperationError|TaggedError)\.ts$/ },
    { name: "effect", modules: /\/node_modules\/effect\// },
    { name: "events", modules: /\/(?:EventWalk|EventCursor|EventList|EventsCalls|Iteration)\.ts$/ },
    { name: "credentials", modules: /\/(?:Credentials\w*|Provider)\.ts$/ },
    { name: "messages", modules: /\/(?:Messages\w*|MarkMany\w*)\.ts$/ },
    { name: "client", modules: /\/(?:core|sdk)\/src\/(?!index|CreateClient|ClientFromEnv)/ }
  ]
})
