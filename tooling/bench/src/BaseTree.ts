import { execFileSync } from "node:child_process"
import { cpSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/** The checkout that this file belongs to. */
export const branchTree = fileURLToPath(new URL("../../..", import.meta.url))

/** The folder of the benchmarks in a checkout. */
export const benchSources = join("tooling", "bench", "src")

const run = (folder: string, command: string, ...words: ReadonlyArray<string>): string =>
  execFileSync(command, [...words], { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] }).trim()

/** Uses a temporary checkout of a commit with its dependencies. Its benchmarks are those of the branch. */
export const withBaseTree = async <A>(commit: string, use: (folder: string) => Promise<A>): Promise<A> => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-base-"))
  try {
    run(branchTree, "git", "worktree", "add", "--quiet", "--detach", folder, commit)
    run(
      folder,
      join(branchTree, "node_modules", ".bin", "pnpm"),
      "install",
      "--frozen-lockfile",
      "--prefer-offline",
      "--filter",
      "@signalbox/bench..."
    )
    rmSync(join(folder, benchSources), { recursive: true })
    cpSync(join(branchTree, benchSources), join(folder, benchSources), { recursive: true })
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
    run(branchTree, "git", "worktree", "prune")
  }
}

/** The commit at which the branch left another one. */
export const baseOf = (other: string): string => run(branchTree, "git", "merge-base", "HEAD", other)
