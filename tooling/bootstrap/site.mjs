// Builds the documentation site and serves it until ctrl-c.
import { become, build } from "./turbo.mjs"

build("--filter=@signalbox/site")
become("apps/site/serve.ts", [])
