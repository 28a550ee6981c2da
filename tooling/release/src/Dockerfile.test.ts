import { folderOfSuite } from "@signalbox/testing/Folder"
import { freePort } from "@signalbox/testing/Loopback"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { packedTarballs } from "./PackedTarballs.ts"
import { repository } from "./Repository.ts"

const text = readFileSync(join(repository, "packages", "test-harness", "Dockerfile"), "utf8")

/** The arguments of an instruction that occurs once. */
const instruction = (name: string): string => {
  const found = [...text.matchAll(new RegExp(`^${name} (.+)$`, "gmu"))].map(([, rest = ""]) => rest)
  assert.lengthOf(found, 1, name)
  return found[0] ?? ""
}

// No Docker here: a folder replaces the image, and this process its runtime.
describe("the Dockerfile of the fake", () => {
  const packed = packedTarballs(["test-harness"])
  const image = folderOfSuite()
  let container: ChildProcess | undefined
  let port = 0

  /** A command of the file, with paths in the image and another port. */
  const inImage = (word: string): string => word.replace(/^\/opt\//u, `${image}/opt/`).replaceAll("4010", String(port))

  beforeAll(async () => {
    port = await freePort()
    const [source, target = ""] = instruction("ADD").split(" ")
    assert.strictEqual(source, "fake.tgz")
    const folder = join(image, target)
    mkdirSync(folder, { recursive: true })
    execFileSync("tar", ["-xzf", packed.tarballOf("test-harness").file, "-C", folder])
  })

  afterAll(() => void container?.kill("SIGKILL"))

  it("uses a fixed major version of Node and a user without privileges", () => {
    assert.match(instruction("FROM"), /^node:\d+-/u)
    assert.strictEqual(instruction("USER"), "node")
    assert.notMatch(text, /^RUN /mu)
  })

  it("starts the server, which is healthy and stops on SIGTERM", async () => {
    const entry: ReadonlyArray<string> = JSON.parse(instruction("ENTRYPOINT"))
    const [command = "", ...words] = entry.map(inImage)
    assert.strictEqual(command, "node")
    const check = inImage(/ CMD (.+)$/u.exec(instruction("HEALTHCHECK"))?.[1] ?? "")
    const env = { PATH: process.env["PATH"] ?? "" }
    const isHealthy = () => spawnSync("sh", ["-c", check], { env, cwd: image }).status === 0
    assert.isFalse(isHealthy())
    const child = spawn(process.execPath, [...words, "--empty"], {
      env,
      cwd: image,
      stdio: ["ignore", "pipe", "inherit"]
    })
    container = child
    const ended = once(child, "exit")
    const [line] = await once(createInterface(child.stdout), "line")
    assert.include(String(line), `"url":"http://0.0.0.0:${instruction("EXPOSE").replace("4010", String(port))}"`)
    assert.isTrue(isHealthy())
    const page = await fetch(`http://127.0.0.1:${port}/`)
    assert.strictEqual(page.status, 200)
    child.kill("SIGTERM")
    assert.deepStrictEqual(await ended, [0, null])
    assert.isFalse(isHealthy())
  })
})
