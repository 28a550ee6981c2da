// Which modules Node opens for a client: one URL a line.
import { registerHooks } from "node:module"

registerHooks({
  load: (url, context, nextLoad) => {
    console.log(url)
    return nextLoad(url, context)
  }
})

await import("@signalbox/sdk")
