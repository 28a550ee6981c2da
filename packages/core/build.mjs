// Streams, HTTP clients and configuration are large parts of Effect that most programs do not use.
import { buildForNode } from "@signalbox/node-build/NodeBuild"

await buildForNode(import.meta.dirname, {
  costly: /^effect\/(?:Channel|Config|Stream|http\/(?:Fetch)?HttpClient.*)$/
})
