import { afterEach, describe, expect, it, vi } from "vitest"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { whenPackageManagerEnds } from "./PackageManager.ts"

describe("a package manager that started this process", () => {
  afterEach(() => {
    vi.unstubAllEnvs()
    vi.restoreAllMocks()
  })

  it("is noticed when it is killed", async () => {
    const npm = spawn(process.execPath, ["-e", "setInterval(() => {}, 1_000)"], { argv0: "/usr/local/bin/npm" })
    await once(npm, "spawn")
    vi.stubEnv("npm_config_user_agent", "npm/11")
    vi.spyOn(process, "ppid", "get").mockReturnValue(npm.pid ?? 0)
    const ended = new Promise<void>(whenPackageManagerEnds)
    npm.kill("SIGKILL")
    await ended
  })

  it("is not looked for by a process that was started without one", () => {
    vi.stubEnv("npm_config_user_agent", undefined)
    vi.stubEnv("npm_execpath", undefined)
    const parent = vi.spyOn(process, "ppid", "get")
    whenPackageManagerEnds(() => {})
    expect(parent).not.toHaveBeenCalled()
  })
})
