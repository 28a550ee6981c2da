// Generates the pages and builds the site into `dist`.
import { build } from "astro"
import { fileURLToPath } from "node:url"

process.env["ASTRO_TELEMETRY_DISABLED"] = "1"
await import("./generate/main.ts")
await build({ root: fileURLToPath(new URL(".", import.meta.url)), logLevel: "warn" })
