// Builds what is out of date and opens the terminal UI.
import { become, build } from "./turbo.mjs"

build("--filter=@signalbox/tui")
become("apps/tui/dist/main.js", process.argv.slice(2))
