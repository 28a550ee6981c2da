// Builds what is out of date and runs the command line.
import { become, build } from "./turbo.mjs"

build("--filter=@signalbox/cli")
become("apps/cli/dist/main.js", process.argv.slice(2))
