// Bundles the terminal UI into one file: unbundled, Ink and Effect cost 200 ms more at every start.
import { chmodSync, readFileSync } from "node:fs"
import { build } from "esbuild"

const { version } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"))

await build({
  entryPoints: ["src/main.ts"],
  outfile: "dist/main.js",
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node22",
  minify: true,
  jsx: "automatic",
  legalComments: "none",
  define: {
    "process.env.NODE_ENV": '"production"',
    "process.env.DEV": '"false"',
    __SIGNALBOX_VERSION__: JSON.stringify(version)
  },
  banner: {
    js: '#!/usr/bin/env node\nimport { createRequire as __createRequire } from "node:module";const require = __createRequire(import.meta.url);'
  },
  plugins: [
    {
      // Without `fetch` the layout engine decodes its own bytes; with it, it loads Node's whole HTTP client for a data URL.
      name: "no-fetch-for-yoga",
      setup(bundler) {
        bundler.onLoad({ filter: /yoga-wasm-base64-esm\.js$/ }, ({ path }) => ({
          contents: `const fetch = undefined;${readFileSync(path, "utf8")}`
        }))
      }
    },

    {
      name: "no-devtools",
      setup(bundler) {
        bundler.onResolve({ filter: /^react-devtools-core$/ }, ({ path }) => ({ path, namespace: "stub" }))
        bundler.onLoad({ filter: /.*/, namespace: "stub" }, () => ({ contents: "export default {}" }))
      }
    }
  ]
})
chmodSync("dist/main.js", 0o755)
