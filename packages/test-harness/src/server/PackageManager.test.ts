import { afterEach, describe, expect, it, vi } from "vitest"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { whenPackageManagerEnds } from "./PackageManager.ts"

describe("a package manager that started this process", () => {
  afterEach(() => {
    vi.unstubAllEnvs()
    vi.restoreAllMocks()
    vi.useRealTimers()
  })

  it.each([
    ["npm_config_user_agent", "npm/11"],
    ["npm_execpath", "/usr/local/bin/npm"]
  ])("is noticed when it is killed, by %s", async (variable, value) => {
    const words = ["-e", "console.log('runs'); setInterval(() => {}, 1_000)"]
    const npm = spawn(process.execPath, words, { argv0: "/usr/local/bin/npm" })
    // A process that was just started has no words yet.
    await once(npm.stdout, "data")
    vi.stubEnv("npm_config_user_agent", undefined)
    vi.stubEnv("npm_execpath", undefined)
    vi.stubEnv(variable, value)
    vi.spyOn(process, "ppid", "get").mockReturnValue(npm.pid ?? 0)
    const ended = new Promise<void>(whenPackageManagerEnds)
    npm.kill("SIGKILL")
    await ended
  })

  it("is no program that has its name among the words of a request", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] })
    const words = ["-e", "setInterval(() => {}, 1_000)", "install", "npm"]
    const program = spawn(process.execPath, words, { argv0: "/usr/local/bin/tool" })
    await once(program, "spawn")
    vi.stubEnv("npm_config_user_agent", "npm/11")
    vi.spyOn(process, "ppid", "get").mockReturnValue(program.pid ?? 0)
    const ended = vi.fn<() => void>()
    whenPackageManagerEnds(ended)
    program.kill("SIGKILL")
    await once(program, "exit")
    vi.advanceTimersByTime(10_000)
    expect(ended).not.toHaveBeenCalled()
  })

  it("is not looked for by a process that was started without one", () => {
    vi.stubEnv("npm_config_user_agent", undefined)
    vi.stubEnv("npm_execpath", undefined)
    const parent = vi.spyOn(process, "ppid", "get")
    whenPackageManagerEnds(() => {})
    expect(parent).not.toHaveBeenCalled()
  })
})
