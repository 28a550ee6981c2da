import { execFileSync } from "node:child_process"
import { rmSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"

/**
 * Compiles the library in `folder` into an empty `dist`: files of an earlier build would be packed, and kept by the
 * cache of builds.
 */
export const compile = (folder: string): void => {
  rmSync(join(folder, "dist"), { recursive: true, force: true })
  const typescript = dirname(createRequire(join(folder, "package.json")).resolve("typescript/package.json"))
  execFileSync(process.execPath, [join(typescript, "bin", "tsc"), "-b", "tsconfig.build.json"], {
    cwd: folder,
    stdio: "inherit"
  })
}
