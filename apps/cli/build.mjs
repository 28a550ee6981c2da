// Bundles the command line: one small entry file, and a chunk for each command that is loaded when the command runs.
import { chmodSync, readFileSync, rmSync } from "node:fs"
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
  define: {
    "process.env.NODE_ENV": '"production"',
    __SIGNALBOX_VERSION__: JSON.stringify(version)
  }
})
chmodSync("dist/main.js", 0o755)
