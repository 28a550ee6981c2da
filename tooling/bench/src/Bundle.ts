import { gzipSync } from "node:zlib"
import { build } from "esbuild"

/** A program to bundle. */
export interface Program {
  readonly text: string
  /** The build of a package that has several; `browser`, which runs anywhere, when absent. */
  readonly platform?: "browser" | "node"
}

/** A program bundled for any runtime that has `fetch`. */
export interface Bundled {
  readonly code: string
  readonly minifiedBytes: number
  readonly gzipBytes: number
}

/** Bundles and minifies a program the way an application would ship it, with the packages installed in a folder. */
export const bundleProgram = async ({ platform = "browser", text }: Program, folder: string): Promise<Bundled> => {
  const { outputFiles } = await build({
    stdin: { contents: text, resolveDir: folder, loader: "ts" },
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    target: "es2022",
    platform,
    // A bundle for Node still has `require` for its built-in modules.
    ...(platform === "node" && {
      banner: { js: `import { createRequire } from "node:module"; const require = createRequire(import.meta.url);` }
    }),
    legalComments: "none",
    logLevel: "silent"
  })
  const code = outputFiles[0]?.text ?? ""
  const bytes = new TextEncoder().encode(code)
  return { code, minifiedBytes: bytes.byteLength, gzipBytes: gzipSync(bytes, { level: 9 }).byteLength }
}
