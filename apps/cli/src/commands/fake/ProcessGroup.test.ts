import { spawn } from "node:child_process"
import { afterEach, assert, it } from "@effect/vitest"
import { processGroup } from "./ProcessGroup.ts"

const platform = Object.getOwnPropertyDescriptor(process, "platform") ?? {}

afterEach(() => void Object.defineProperty(process, "platform", platform))

it.each(["linux", "darwin"])("has the children of this process that have no group of their own, on %s", (value) => {
  const children = [false, true].map((detached) =>
    spawn(process.execPath, ["--eval", "setInterval(() => {}, 1000)"], { detached, stdio: "ignore" })
  )
  try {
    Object.defineProperty(process, "platform", { ...platform, value })
    const group = processGroup()
    assert.deepStrictEqual(
      [process.pid, ...children.map(({ pid = 0 }) => pid)].map((pid) => group.includes(pid)),
      [true, true, false]
    )
    assert.isTrue(group.every((pid) => Number.isInteger(pid) && pid > 0))
  } finally {
    for (const child of children) child.kill("SIGKILL")
  }
})
