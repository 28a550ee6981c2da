import { folderOfTest } from "@signalbox/testing/Folder"
import { assert, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

const run = promisify(execFile)
const home = join(import.meta.dirname, "..")
const guide = readFileSync(join(home, "..", "..", "docs", "sdk", "endpoints.md"), "utf8")

/** The first block of a language in the section about types. */
const blockOf = (language: string): string => {
  const [, section = ""] = guide.split("## Types from an OpenAPI document")
  return new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, "mu").exec(section)?.[1] ?? ""
}

const topic = {
  type: "object",
  properties: { key: { type: "string" }, name: { type: "string" } },
  required: ["key"]
}

const content = { "application/json": { schema: topic } }

const service = {
  openapi: "3.1.0",
  info: { title: "Topics", version: "1" },
  paths: {
    "/v1/topics": {
      post: {
        requestBody: { required: true, content },
        responses: { 201: { description: "The topic", content } }
      }
    }
  }
}

/** Installs the tool with the compiler that it needs, as npx does; this repository has a later one. */
const installTool = (modules: string): void => {
  const installed = join(home, "node_modules")
  // The main module is in a folder of its package.
  const packages = dirname(dirname(dirname(fileURLToPath(import.meta.resolve("openapi-typescript")))))
  for (const name of readdirSync(packages)) {
    if (name === "openapi-typescript") cpSync(join(packages, name), join(modules, name), { recursive: true })
    else if (name === "typescript") symlinkSync(join(installed, "typescript-5.9"), join(modules, name))
    else if (!name.startsWith("@signalbox")) symlinkSync(join(packages, name), join(modules, name))
  }
}

const calls = `
import { createClientFromEnv } from "@signalbox/sdk"

export const program = async (): Promise<string> => {
  await using client = createClientFromEnv()
  // @ts-expect-error the document requires a key
  await client.call(createTopic, { body: { name: "News" } })
  return (await client.call(createTopic, { body: { key: "news" } })).key
}
`

it("the guide's command writes the types with which its program compiles", { timeout: 60_000 }, async () => {
  const folder = folderOfTest()
  writeFileSync(join(folder, "service.json"), JSON.stringify(service))
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }))
  writeFileSync(join(folder, "program.ts"), blockOf("typescript") + calls)
  const modules = join(folder, "node_modules")
  mkdirSync(join(modules, "@signalbox"), { recursive: true })
  symlinkSync(join(home, "..", "..", "packages", "sdk"), join(modules, "@signalbox", "sdk"))
  installTool(modules)
  const command = blockOf("sh").trim()
  assert.match(command, /^npx openapi-typescript /u)
  await run(
    "sh",
    ["-c", command.replace("npx openapi-typescript", "node node_modules/openapi-typescript/bin/cli.js")],
    {
      cwd: folder
    }
  )
  const compiler = ["--noEmit", "--strict", "--module", "nodenext", "--target", "esnext", "--skipLibCheck"]
  const compiled = await run(
    join(home, "node_modules", ".bin", "tsc"),
    [...compiler, "--allowImportingTsExtensions", "--ignoreConfig", "program.ts"],
    { cwd: folder }
  ).catch((error: { readonly stdout: string }) => error)
  assert.strictEqual(compiled.stdout, "")
})
