// Builds and publishes the packages: `pnpm release`, or `pnpm release --dry-run` to pack and check them only.
import { spawnSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { metadataLinks, withAbsoluteLinks } from "./registryLinks.mjs"
import { root } from "./programs.mjs"
import { build, env } from "./turbo.mjs"

const isDryRun = process.argv.includes("--dry-run")

const read = (file) => JSON.parse(readFileSync(file, "utf8"))

const published = ["packages", "apps"]
  .flatMap((parent) => readdirSync(join(root, parent)).map((name) => `${parent}/${name}`))
  .filter((folder) => existsSync(join(root, folder, "package.json")))
  .filter((folder) => read(join(root, folder, "package.json")).private !== true)

const fail = (message) => {
  console.error(`Signalbox: ${message}`)
  process.exit(1)
}

const run = (command, args, cwd = root) => {
  const { status, error } = spawnSync(command, args, {
    cwd,
    env,
    stdio: "inherit",
    shell: process.platform === "win32"
  })
  if (status !== 0) fail(`${command} ${args.join(" ")} failed${error ? `: ${error.message}` : ""}`)
}

/**
 * Every package names the repository of the workspace: npm grants provenance only to packages that name theirs. Links of
 * its README that leave its folder lead to that repository.
 */
const nameRepository = (url) => {
  for (const folder of published) {
    const file = join(root, folder, "package.json")
    const manifest = { ...read(file), ...metadataLinks(folder, url) }
    writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`)
    const readme = join(root, folder, "README.md")
    writeFileSync(readme, withAbsoluteLinks(readFileSync(readme, "utf8"), folder, url))
  }
}

const setting = read(join(root, "package.json")).repository
const repository = typeof setting === "object" ? setting.url : setting
if (!isDryRun) {
  if (repository === undefined) fail(`set "repository" in package.json first; npm grants provenance only with it`)
  nameRepository(repository)
}
build(...published.map((folder) => `--filter=./${folder}`))
if (isDryRun) {
  for (const folder of published) run("pnpm", ["publish", "--dry-run", "--no-git-checks"], join(root, folder))
} else run("changeset", ["publish"])
