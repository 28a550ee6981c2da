// Streams, HTTP clients, configuration and the description of an API are large
// parts of Effect that most programs do not use.
import { buildForNode } from "@signalbox/node-build/NodeBuild"

await buildForNode(import.meta.dirname, {
  costly: /^effect\/(?:Channel|Config|Stream|http-api\/.*|http\/(?:Fetch)?HttpClient.*)$/
})
