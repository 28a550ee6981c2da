// Builds the packages and packs them into a folder, with their digests: `pnpm release --pack FOLDER`. The release publishes
// these archives in a job that installs nothing. `pnpm release --dry-run` packs them, and publishes them to no registry.
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { metadataLinks, withAbsoluteLinks } from "./registryLinks.mjs"
import { root } from "./programs.mjs"
import { build, env } from "./turbo.mjs"

const isDryRun = process.argv.includes("--dry-run")
const target = process.argv[process.argv.indexOf("--pack") + 1]

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

if (isDryRun === process.argv.includes("--pack") || (!isDryRun && target === undefined)) {
  fail("expected --pack FOLDER or --dry-run")
}
const setting = read(join(root, "package.json")).repository
const repository = typeof setting === "object" ? setting.url : setting
if (!isDryRun) {
  if (repository === undefined) fail(`set "repository" in package.json first; npm grants provenance only with it`)
  nameRepository(repository)
}
build(...published.map((folder) => `--filter=./${folder}`))
const packed = isDryRun ? mkdtempSync(join(tmpdir(), "signalbox-release-")) : resolve(target)
mkdirSync(packed, { recursive: true })
for (const folder of published) run("pnpm", ["pack", "--pack-destination", packed], join(root, folder))
const archives = readdirSync(packed).filter((name) => name.endsWith(".tgz"))
if (archives.length !== published.length) fail(`${archives.length} archives of ${published.length} packages`)
const digestOf = (name) =>
  createHash("sha256")
    .update(readFileSync(join(packed, name)))
    .digest("hex")
writeFileSync(join(packed, "SHA256SUMS"), archives.map((name) => `${digestOf(name)}  ${name}\n`).join(""))
if (isDryRun) {
  // The commands of the publishing job, except that npm uploads nothing.
  if (process.platform === "linux") run("sha256sum", ["--check", "--strict", "--quiet", "SHA256SUMS"], packed)
  for (const name of archives) run("npm", ["publish", `./${name}`, "--dry-run", "--access", "public"], packed)
  rmSync(packed, { recursive: true })
}
