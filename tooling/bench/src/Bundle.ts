import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { build } from "esbuild"

/** A program to bundle: its text, and packages that are left out of the bundle, and of its bytes. */
export interface Program {
  readonly text: string
  readonly external?: ReadonlyArray<string>
}

/** A program bundled for any runtime that has `fetch`. */
export interface Bundled {
  readonly code: string
  readonly minifiedBytes: number
  readonly gzipBytes: number
}

const importLine = /import\s*\*\s*as\s+[\w$]+\s+from\s*"[^"]+";/g

const here = fileURLToPath(new URL(".", import.meta.url))

/** Bundles and minifies a program the way an application would ship it; resolved from this package. */
export const bundleProgram = async ({ external = [], text }: Program): Promise<Bundled> => {
  const { outputFiles } = await build({
    stdin: { contents: text, resolveDir: here, loader: "ts" },
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    target: "es2022",
    // The browser build is what peers publish for runtimes without Node; ours has only one.
    platform: "browser",
    external: [...external],
    logLevel: "silent"
  })
  // A program that ships has no such lines: what they name is in its bundle.
  const code = (outputFiles[0]?.text ?? "").replaceAll(importLine, "")
  const bytes = new TextEncoder().encode(code)
  return { code, minifiedBytes: bytes.byteLength, gzipBytes: gzipSync(bytes, { level: 9 }).byteLength }
}
