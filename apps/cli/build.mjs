// Bundles the command line: one small entry file, and a chunk for each command that is loaded when the command runs.
import { execFileSync } from "node:child_process"
import { chmodSync, readFileSync, rmSync } from "node:fs"
import { writeNotices } from "@signalbox/node-build/Notices"
import { define, plugins } from "@signalbox/tui/bundling"
import { build } from "esbuild"

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
  legalComments: "none",
  jsx: "automatic",
  metafile: true,
  define: { ...define, __SIGNALBOX_VERSION__: JSON.stringify(version) },
  plugins
})
// `signalbox fake` serves the pages of the fake from files.
execFileSync(process.execPath, ["../../packages/test-harness/buildPages.mjs", "dist/pages"])
writeNotices(metafile, "dist")
chmodSync("dist/main.js", 0o755)
