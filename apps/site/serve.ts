// Serves the built site on a free port, until ctrl-c.
import { serveSite } from "./test/SiteServer.ts"

const { url } = await serveSite()
process.stdout.write(`The documentation site is at ${url}\n`)
