// Bundles the command line: one small entry file, and a chunk for each command that is loaded when the command runs.
import { chmodSync, readFileSync, rmSync } from "node:fs"
import { define, plugins } from "@signalbox/tui/bundling"
import { build } from "esbuild"

const { version } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"))

rmSync("dist", { recursive: true, force: true })
await build({
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
  define: { ...define, __SIGNALBOX_VERSION__: JSON.stringify(version) },
  plugins
})
chmodSync("dist/main.js", 0o755)
