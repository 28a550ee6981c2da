// Bundles the terminal UI: unbundled, Ink and Effect cost 200 ms more at every start.
import { chmodSync, readFileSync, rmSync } from "node:fs"
import { writeNotices } from "@signalbox/node-build/Notices"
import { build } from "esbuild"
import { define, plugins } from "./bundling.mjs"

const { version } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"))

rmSync("dist", { recursive: true, force: true })
const { metafile } = await build({
  entryPoints: ["src/main.ts"],
  outdir: "dist",
  bundle: true,
  splitting: true,
  chunkNames: "[name]-[hash]",
  platform: "node",
  format: "esm",
  target: "node22",
  minify: true,
  jsx: "automatic",
  legalComments: "none",
  metafile: true,
  define: { ...define, __SIGNALBOX_VERSION__: JSON.stringify(version) },
  plugins
})
writeNotices(metafile, "dist")
chmodSync("dist/main.js", 0o755)
