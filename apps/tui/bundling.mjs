// How the terminal UI is bundled, here and in programs that carry it.
import { readFileSync } from "node:fs"
import { isBuiltin } from "node:module"
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"

// Without `fetch` the layout engine decodes its own bytes; with it, it loads Node's whole HTTP client for a data URL.
const noFetchForYoga = {
  name: "no-fetch-for-yoga",
  setup(bundler) {
    bundler.onLoad({ filter: /yoga-wasm-base64-esm\.js$/ }, ({ path }) => ({
      contents: `const fetch = undefined;${readFileSync(path, "utf8")}`
    }))
  }
}

const noDevtools = {
  name: "no-devtools",
  setup(bundler) {
    bundler.onResolve({ filter: /^react-devtools-core$/ }, ({ path }) => ({ path, namespace: "stub" }))
    bundler.onLoad({ filter: /.*/, namespace: "stub" }, () => ({ contents: "export default {}" }))
  }
}

// An imported module of Node is read to its last property, and some of those load a dozen others (`process.stdin`,
// `fs.promises`); one that is asked for by name is not.
const builtInByName = {
  name: "built-in-by-name",
  setup(bundler) {
    bundler.onResolve({ filter: /./ }, ({ kind, path }) =>
      isBuiltin(path) && kind !== "dynamic-import"
        ? { path: path.replace(/^node:/u, ""), namespace: "built-in" }
        : undefined
    )
    bundler.onLoad({ filter: /.*/, namespace: "built-in" }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)})`
    }))
  }
}

// Ink and this package share one implementation of string width. It loads its emoji tables when a string first needs them;
// most screens never do.
const oneMeasure = {
  name: "one-measure",
  setup(bundler) {
    const operator = dirname(fileURLToPath(import.meta.resolve("@signalbox/operator/text/Width")))
    bundler.onResolve({ filter: /^string-width$/ }, ({ pluginData }) =>
      pluginData?.full ? undefined : { path: "string-width", namespace: "measure" }
    )
    bundler.onLoad({ filter: /.*/, namespace: "measure" }, () => ({
      contents: `
        import { plainCells } from "@signalbox/operator/text/PlainCells"
        export default (text, options) => plainCells(text) ?? require("full-string-width").default(text, options)`,
      resolveDir: import.meta.dirname
    }))
    bundler.onResolve({ filter: /^full-string-width$/ }, () =>
      bundler.resolve("string-width", { kind: "import-statement", resolveDir: operator, pluginData: { full: true } })
    )
  }
}

/** The plugins of esbuild that a bundle with the terminal UI needs. */
export const plugins = [builtInByName, noFetchForYoga, noDevtools, oneMeasure]

/** The constants of a production bundle. */
export const define = { "process.env.NODE_ENV": '"production"', "process.env.DEV": '"false"' }
