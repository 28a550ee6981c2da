import { listenOnLoopback } from "@signalbox/testing/Loopback"
import { assert, describe, it, vi } from "@effect/vitest"
import { createServer, type ServerResponse } from "node:http"
import { nodeFiles } from "../file/Disk.ts"
import { bytesOf, mayContainSecret, nameOf, rangesOf } from "./Location.ts"

// More than a socket gives away at once.
const content = Buffer.from(Array.from({ length: 20_000 }, (_, at) => `line ${at}\n`).join(""))

/** Serves the content, with or without ranges. */
const serve = async (knowsRanges: boolean) => {
  const server = createServer(({ headers, url }, response) => {
    if (url !== "/input?signature=secret") return response.writeHead(404).end()
    const [, from = "", to = ""] = /bytes=(\d+)-(\d+)/.exec(headers.range ?? "") ?? []
    if (from === "" || !knowsRanges) return response.writeHead(200).end(content)
    return response.writeHead(206).end(content.subarray(Number(from), Number(to) + 1))
  })
  const port = await listenOnLoopback(server)
  return {
    origin: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve()))
  }
}

const collect = async (source: AsyncIterable<Buffer>): Promise<Buffer> => {
  const parts: Array<Buffer> = []
  for await (const part of source) parts.push(part)
  return Buffer.concat(parts)
}

describe("an input with a URL", () => {
  it.each([true, false])(
    "is read as a whole and in parts, whether its server knows ranges or not: %s",
    async (knows) => {
      await using server = await serve(knows)
      const url = `${server.origin}/input?signature=secret`
      assert.isTrue((await collect(bytesOf(nodeFiles, url))).equals(content))
      const read = (...ranges: ReadonlyArray<readonly [offset: number, bytes: number]>) =>
        rangesOf(
          nodeFiles,
          url,
          ranges.map(([offset, bytes]) => ({ offset, bytes }))
        )
      for (const from of [4000, 100_000])
        assert.isTrue((await read([from, 300])).equals(content.subarray(from, from + 300)))
      assert.isTrue((await read([content.length - 5, 99])).equals(content.subarray(-5)))
      const parts = [content.subarray(0, 7), content.subarray(20, 22), content.subarray(4000, 4001)]
      assert.isTrue((await read([0, 7], [20, 2], [4000, 1])).equals(Buffer.concat(parts)))
      assert.lengthOf(await read([10, 0]), 0)
    }
  )

  it("is not read where the server does not have it or does not respond", async () => {
    await using server = await serve(true)
    const failure = (url: string) =>
      rangesOf(nodeFiles, url, [{ offset: 0, bytes: 1 }]).then(String, (error: Error) => error.message)
    assert.strictEqual(await failure(`${server.origin}/other`), "the server responded with status 404")
    assert.strictEqual(await failure("http://127.0.0.1:1/input?signature=secret"), "the server does not respond")
  })

  it("is not redirected from https to http", async () => {
    const location = "http://files.example.test/input"
    const fetched = vi
      .spyOn(globalThis, "fetch")
      .mockResolvedValue(new Response(null, { status: 302, headers: { location } }))
    const failure = await rangesOf(nodeFiles, "https://files.example.test/input", [{ offset: 0, bytes: 1 }]).then(
      String,
      (error: Error) => error.message
    )
    assert.strictEqual(failure, "the server redirects to http://files.example.test; use the final URL")
    assert.lengthOf(fetched.mock.calls, 1)
    fetched.mockRestore()
  })

  it("is sent its user name and password in a header, and no redirect to another host", async () => {
    const seen: Array<string | undefined> = []
    const server = createServer(({ headers, url = "" }, response) => {
      seen.push(`${url} ${headers.authorization}`)
      const target = new URL(url, "http://server.test").searchParams.get("to")
      if (target === null) response.writeHead(200).end(content)
      else response.writeHead(302, { location: target }).end()
    })
    const port = await listenOnLoopback(server)
    const url = (to: string) => `http://ad%40:pass:word@127.0.0.1:${port}/input?to=${encodeURIComponent(to)}`
    const failure = (to: string) =>
      rangesOf(nodeFiles, url(to), [{ offset: 0, bytes: 1 }]).then(String, (error: Error) => error.message)
    const header = `Basic ${Buffer.from("ad@:pass:word").toString("base64")}`
    assert.isTrue(
      (await rangesOf(nodeFiles, url("/input"), [{ offset: 4, bytes: 10 }])).equals(content.subarray(4, 14))
    )
    assert.deepStrictEqual(seen, [`/input?to=%2Finput ${header}`, `/input ${header}`])
    for (const to of [
      "http://127.0.0.2/input",
      `http://127.0.0.1:${port + 1}/input`,
      `http://localhost:${port}/input`
    ]) {
      assert.strictEqual(await failure(to), `the server redirects to ${new URL(to).origin}; use the final URL`)
    }
    assert.strictEqual(await failure("http://"), "the server redirects to an invalid address; use the final URL")
    assert.strictEqual(await failure(""), "the server redirects more than 5 times")
    server.close()
  })

  it("may take as long as it likes, and fails when the server sends nothing for a minute", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    let reply: ServerResponse | undefined
    const server = createServer((_, response) => {
      reply = response
      response.write("first")
    })
    try {
      const port = await listenOnLoopback(server)
      const parts = bytesOf(nodeFiles, `http://127.0.0.1:${port}/input`)
      assert.strictEqual(String((await parts.next()).value), "first")
      for (let passed = 0; passed < 3; passed++) {
        vi.advanceTimersByTime(59_000)
        reply?.write("more")
        assert.strictEqual(String((await parts.next()).value), "more")
      }
      const next = parts.next().then(String, (error: Error) => error.message)
      vi.advanceTimersByTime(60_000)
      assert.strictEqual(await next, "the server sent nothing for 60 s")
    } finally {
      vi.useRealTimers()
      server.closeAllConnections()
      server.close()
    }
  })

  it("has a name without what may be secret", () => {
    assert.strictEqual(nameOf("https://u:p@files.test/a/b.csv?signature=s"), "https://files.test/a/b.csv")
    assert.deepStrictEqual(
      ["https://files.test/b.csv", "https://files.test/b.csv?s=1", "https://u@files.test/b.csv", "/a?b.csv"].map(
        mayContainSecret
      ),
      [false, true, true, false]
    )
  })
})
