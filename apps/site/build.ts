// Generates the pages, builds the site into `dist`, and indexes the symbols of the reference for its search.
import { build } from "astro"
import { copyFileSync, renameSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { close, createIndex } from "pagefind"
import { symbols } from "./generate/Symbols.ts"

process.env["ASTRO_TELEMETRY_DISABLED"] = "1"
await import("./generate/main.ts")
await build({ root: fileURLToPath(new URL(".", import.meta.url)), logLevel: "warn" })

const pagefind = new URL("dist/pagefind/", import.meta.url)
renameSync(new URL("pagefind.js", pagefind), new URL("engine.js", pagefind))
copyFileSync(new URL("src/QuestionSearch.js", import.meta.url), new URL("pagefind.js", pagefind))

const { errors, index } = await createIndex()
if (index === undefined) throw new Error(errors.join("\n"))
for (const { library, name, route } of symbols()) {
  await index.addCustomRecord({
    url: `/${route}/`,
    content: `${name} ${library}`,
    language: "en",
    // In small letters, a name is one word, which none of its parts finds.
    meta: { title: name, wholeName: name.toLowerCase() }
  })
}
await index.writeFiles({ outputPath: fileURLToPath(new URL("dist/symbols", import.meta.url)) })
await close()
