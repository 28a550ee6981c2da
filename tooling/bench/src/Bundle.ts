import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { build } from "esbuild"

/** A program to bundle: its text, and packages to leave out of the bundle. */
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
  const code = outputFiles[0]?.contents ?? new Uint8Array()
  return {
    code: new TextDecoder().decode(code),
    minifiedBytes: code.byteLength,
    gzipBytes: gzipSync(code, { level: 9 }).byteLength
  }
}
