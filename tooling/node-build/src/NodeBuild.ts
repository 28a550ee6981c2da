import { writeFileSync } from "node:fs"
import { isAbsolute, join, relative } from "node:path"
import { type ChunkingContext, rolldown } from "rolldown"
import { compile } from "./Compile.ts"
import { entriesOf } from "./Entries.ts"
import { noticesFile, noticesOf } from "./Notices.ts"

/** Options of {@link buildForNode}. */
export interface NodeBuildOptions {
  /**
   * Modules of other packages that only some entries should cost. Modules that import none of them, neither directly
   * nor through others, become one file; every other module of the library is loaded only where it is used.
   */
  readonly costly?: RegExp
}

const isOutside = (id: string) => !id.startsWith(".") && !isAbsolute(id)

/** Whether a module reaches one of those that `costly` means. */
const reaches = (costly: RegExp, id: string, modules: ChunkingContext, seen = new Set<string>()): boolean => {
  if (seen.has(id)) return false
  seen.add(id)
  if (isOutside(id)) return costly.test(id)
  return modules.getModuleInfo(id)?.importedIds.some((imported) => reaches(costly, imported, modules, seen)) ?? false
}

/**
 * Writes `dist` of the library in `folder`: its modules with their declarations, and in `node` its public entries again,
 * with as few files behind them as possible.
 *
 * Node opens, compiles and links each module separately, which costs more than running its code. Bundlers and the compiler
 * still use the separate modules, so that they can leave out unused ones.
 */
export const buildForNode = async (folder: string, { costly }: NodeBuildOptions = {}): Promise<void> => {
  compile(folder)
  const dir = join(folder, "dist", "node")
  const input = entriesOf(folder).map(({ file }) => [relative("src", file).replace(/\.ts$/, ""), join(folder, file)])
  const bundle = await rolldown({
    input: Object.fromEntries(input),
    external: isOutside,
    platform: "neutral",
    tsconfig: false,
    transform: { target: "es2023" }
  })
  const { output } = await bundle.write({
    dir,
    format: "esm",
    sourcemap: true,
    // The package contains them already.
    sourcemapExcludeSources: true,
    entryFileNames: "[name].js",
    chunkFileNames: "chunks/[name].js",
    codeSplitting:
      costly === undefined
        ? true
        : {
            groups: [
              {
                debugName: "library",
                name: (id, modules) => (reaches(costly, id, modules) ? null : "library")
              }
            ]
          }
  })
  await bundle.close()
  const notices = noticesOf(output.flatMap((file) => (file.type === "chunk" ? file.moduleIds : [])))
  if (notices !== undefined) writeFileSync(join(folder, "dist", noticesFile), notices)
}
