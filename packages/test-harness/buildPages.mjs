// Builds the pages that the server of the fake reads from files when a browser requests them: node buildPages.mjs FOLDER
// Prints the metafile of their scripts.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { build } from "esbuild"

const sources = join(import.meta.dirname, "src", "pages")
const openApi = join(import.meta.dirname, "..", "..", "openapi.json")
const [outdir = ""] = process.argv.slice(2)

rmSync(outdir, { recursive: true, force: true })
mkdirSync(outdir, { recursive: true })
const { metafile } = await build({
  entryPoints: ["Inspector.tsx", "style.css"].map((file) => join(sources, file)),
  outdir,
  bundle: true,
  platform: "browser",
  format: "esm",
  target: "es2023",
  minify: true,
  legalComments: "none",
  metafile: true,
  jsx: "automatic",
  jsxImportSource: "preact"
})
for (const file of ["inspector.html", "icon.svg"]) {
  cpSync(join(sources, file), join(outdir, file))
}
writeFileSync(join(outdir, "openapi.json"), JSON.stringify(JSON.parse(readFileSync(openApi, "utf8"))))
process.stdout.write(JSON.stringify(metafile))
