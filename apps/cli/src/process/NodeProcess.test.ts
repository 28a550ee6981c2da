import { folderOfTest } from "@signalbox/testing/Folder"
import { listenOnLoopback } from "@signalbox/testing/Loopback"
import { once } from "node:events"
import { createWriteStream, existsSync, readFileSync } from "node:fs"
import { connect, createServer, Socket } from "node:net"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { assert, describe, it, onTestFinished } from "@effect/vitest"
import { outlet } from "@signalbox/operator/outlet/Outlet"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { makeWrite } from "./NodeProcess.ts"

/** The two ends of a connection. */
const connected = async () => {
  const server = createServer()
  const port = await listenOnLoopback(server)
  const arriving = once(server, "connection")
  const near = connect(port)
  const [far] = await arriving
  assert.instanceOf(far, Socket)
  onTestFinished(() => {
    near.destroy()
    far.destroy()
    server.close()
  })
  return { near, far }
}

const closed = (socket: Socket) => new Promise((resolve) => socket.once("close", resolve))

const writing = (stream: Parameters<typeof makeWrite>[0]) => {
  const failures: Array<string | undefined> = []
  const write = makeWrite(stream, ({ code }: NodeJS.ErrnoException) => failures.push(code))
  const send = (words: string) => Effect.runPromise(Effect.result(write(outlet("own").text(words))))
  return { failures, send }
}

describe("makeWrite", () => {
  it("waits until a slow reader has room, and loses nothing", async () => {
    const { far, near } = await connected()
    const { failures, send } = writing(Object.assign(near, { fd: 1 }))
    const line = `${"x".repeat(1_000_000)}\n`
    const sending = (async () => {
      for (let count = 0; count < 20; count += 1) assert.isTrue(Result.isSuccess(await send(line)))
      near.end()
    })()
    assert.lengthOf(await text(far), 20 * line.length)
    await sending
    assert.deepStrictEqual(failures, [])
  })

  it("fails without a report once the reader is gone", async () => {
    const { far, near } = await connected()
    const { failures, send } = writing(Object.assign(near, { fd: 1 }))
    near.destroy(Object.assign(new Error("write EPIPE"), { code: "EPIPE" }))
    await closed(near)
    far.destroy()
    const outcomes = [await send("one\n"), await send("two\n")]
    assert.deepStrictEqual([outcomes.map(Result.isFailure), failures], [[true, true], []])
  })

  it("reports another failure of a stream", async () => {
    const { near } = await connected()
    const { failures, send } = writing(Object.assign(near, { fd: 1 }))
    near.destroy(Object.assign(new Error("read"), { code: "EIO" }))
    await closed(near)
    assert.deepStrictEqual([Result.isFailure(await send("x")), failures], [true, ["EIO"]])
  })

  it("writes to a file, and reports once that the disk is full", async () => {
    const file = createWriteStream(join(folderOfTest(), "output"))
    await once(file, "open")
    const { failures, send } = writing(Object.assign(file, { fd: Number(Reflect.get(file, "fd")) }))
    await send("one\n")
    await send("two\n")
    assert.deepStrictEqual([readFileSync(file.path, "utf8"), failures], ["one\ntwo\n", []])
    if (!existsSync("/dev/full")) return
    const full = createWriteStream("/dev/full")
    await once(full, "open")
    const disk = writing(Object.assign(full, { fd: Number(Reflect.get(full, "fd")) }))
    const outcomes = [await disk.send("one\n"), await disk.send("two\n")]
    assert.deepStrictEqual([outcomes.map(Result.isFailure), disk.failures], [[true, true], ["ENOSPC"]])
  })
})
