import { assert, describe, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { connect } from "node:net"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { Fault, reproductionToken } from "../index.ts"

const program = fileURLToPath(new URL("../../dist/signalbox-fake.js", import.meta.url))

const start = (...words: ReadonlyArray<string>) => spawn(process.execPath, [program, ...words], { stdio: "pipe" })

/** The same with a limit for the size of files, in kilobytes: what a full disk does, without a disk. */
const limitedTo = (kilobytes: number, ...words: ReadonlyArray<string>) =>
  spawn("bash", ["-c", `trap '' XFSZ; ulimit -f ${kilobytes}; exec "$0" "$@"`, process.execPath, program, ...words], {
    stdio: "pipe"
  })

const textOf = async (stream: AsyncIterable<Buffer>): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString("utf8")
}

describe("signalbox-fake", () => {
  it("is built before its tests", () => assert.isTrue(existsSync(program)))

  it("prints its URL when it is ready, responds, and stops on a signal", async () => {
    const child = start("--seed", "4")
    const ended = once(child, "exit")
    const [line] = await once(createInterface(child.stdout), "line")
    const { apiKey, url } = JSON.parse(String(line)) as { readonly apiKey: string; readonly url: string }
    const response = await fetch(`${url}/v1/notifications?limit=2`, { headers: { authorization: `ApiKey ${apiKey}` } })
    assert.lengthOf(((await response.json()) as { readonly data: ReadonlyArray<unknown> }).data, 2)
    child.kill("SIGTERM")
    assert.deepStrictEqual(await ended, [0, null])
  })

  it("stops on a signal even while a fault delays a request", async () => {
    const child = start()
    const ended = once(child, "exit")
    const [line] = await once(createInterface(child.stdout), "line")
    const { apiKey, url } = JSON.parse(String(line)) as { readonly apiKey: string; readonly url: string }
    const headers = { authorization: `ApiKey ${apiKey}`, "content-type": "application/json" }
    const form = { _tag: "Latency", latency: { distribution: "fixed", delayMs: 3_600_000 } }
    await fetch(`${url}/_fake/faults`, { method: "POST", headers, body: JSON.stringify({ form }) })
    const held = fetch(`${url}/v1/notifications`, { headers }).catch((error: unknown) => error)
    const journal = async () => (await (await fetch(`${url}/_fake/journal`, { headers })).json()) as object
    while (!JSON.stringify(await journal()).includes("/v1/notifications")) await journal()
    child.kill("SIGTERM")
    assert.deepStrictEqual(await ended, [0, null])
    assert.instanceOf(await held, TypeError)
  })

  it.each([
    [["--port", "70000"], 'signalbox-fake: --port must be an integer from 0 to 65535, not "70000"\n'],
    [["check"], "signalbox-fake: check: expected -- and the command of a client\n"]
  ])("refuses %j in one line, as Arguments.test.ts covers for every option", async (words, line) => {
    const child = start(...words)
    const [text, [code]] = await Promise.all([textOf(child.stderr), once(child, "exit")])
    assert.deepStrictEqual([text, code], [line, 2])
  })

  const address = async (stdout: NodeJS.ReadableStream): Promise<string> => {
    const [line] = await once(createInterface(stdout), "line")
    return (JSON.parse(String(line)) as { readonly url: string }).url
  }

  /** Waits until the server refuses connections. */
  const stopped = async (url: string): Promise<void> => {
    for (;;) {
      try {
        await fetch(`${url}/_fake`)
      } catch {
        return
      }
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  it("stops when the package manager that started it is killed", async () => {
    const command = `"${process.execPath}" "${program}" --empty`
    const npm = spawn("npm", ["exec", "--offline", "-c", command], { stdio: "pipe" })
    const url = await address(npm.stdout)
    npm.kill("SIGKILL")
    await stopped(url)
  })

  it("keeps running when the shell that started it ends", async () => {
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("npm_")))
    const shell = spawn("sh", ["-c", `"${process.execPath}" "${program}" --empty & echo $! >&2`], {
      stdio: "pipe",
      env
    })
    const ended = once(shell, "exit")
    const [[pid], url] = await Promise.all([once(createInterface(shell.stderr), "line"), address(shell.stdout)])
    await ended
    assert.strictEqual((await fetch(`${url}/_fake`)).status, 200)
    process.kill(Number(pid))
    await stopped(url)
  })

  it("reads a preset from a file, and the options of a reproduction token", async () => {
    const folder = mkdtempSync(join(tmpdir(), "signalbox-fake-"))
    const file = join(folder, "team.json")
    const switches = { "auth.missingKey": "403" }
    const evidence = { "auth.missingKey": "GET events without a key: 403" }
    writeFileSync(file, JSON.stringify({ version: 1, extends: "observed", switches, evidence }))
    const token = reproductionToken({ data: "empty", faults: [Fault.status(418)] })
    const child = start("--preset", file, "--reproduce", token)
    const [line] = await once(createInterface(child.stdout), "line")
    const { apiKey, url } = JSON.parse(String(line)) as { readonly apiKey: string; readonly url: string }
    const list = (headers: Readonly<Record<string, string>>) => fetch(`${url}/v1/notifications`, { headers })
    assert.strictEqual((await list({})).status, 403)
    assert.strictEqual((await list({ authorization: `ApiKey ${apiKey}` })).status, 418)
    child.kill("SIGTERM")
    writeFileSync(file, JSON.stringify({ version: 2 }))
    const wrong = start("--preset", file)
    assert.include(await textOf(wrong.stderr), "signalbox-fake: preset file.version: must be 1, not 2")
    rmSync(folder, { recursive: true })
  })

  it("allows web pages of one origin", async () => {
    const child = start("--empty", "--allow-origin", "http://localhost:3000")
    const url = await address(child.stdout)
    const from = (origin: string, method = "GET") =>
      fetch(`${url}/_fake`, { method, headers: { origin, "access-control-request-method": "POST" } })
    const allowed = await from("http://localhost:3000")
    assert.deepStrictEqual(
      [allowed.status, allowed.headers.get("access-control-allow-origin")],
      [200, "http://localhost:3000"]
    )
    assert.strictEqual((await from("http://localhost:3000", "OPTIONS")).status, 204)
    const other = await from("http://evil.test")
    assert.deepStrictEqual([other.status, other.headers.get("access-control-allow-origin")], [403, null])
    child.kill("SIGTERM")
  })

  it("keeps its environments in a file", async () => {
    const folder = mkdtempSync(join(tmpdir(), "signalbox-fake-"))
    const file = join(folder, "environments.json")
    const run = async (...words: ReadonlyArray<string>) => {
      const child = start("--snapshot", file, ...words)
      const ended = once(child, "exit")
      const [line] = await once(createInterface(child.stdout), "line")
      const { apiKey, url } = JSON.parse(String(line)) as { readonly apiKey: string; readonly url: string }
      const call = async (path: string, body?: unknown, key = apiKey) => {
        const method = body === undefined ? "GET" : "POST"
        const headers = { authorization: `ApiKey ${key}` }
        const response = await fetch(url + path, { method, headers, body: JSON.stringify(body) ?? null })
        return (await response.json()) as Record<string, unknown>
      }
      const stop = () => {
        child.kill("SIGTERM")
        return ended
      }
      return { apiKey, call, stop }
    }
    const first = await run("--empty", "--vendor", "acme", "--preset", "observed")
    const other = await first.call("/_fake/environments", { data: "demo", seed: 7, clock: "2026-05-01T08:00:00Z" })
    await first.call("/_fake/environments/delete", {}, String((await first.call("/_fake/environments", {}))["apiKey"]))
    await first.call("/_fake/seed", { subscribers: [{ subscriberId: "ana" }] })
    const key = String(other["apiKey"])
    const before = await first.call("/_fake/snapshot", undefined, key)
    assert.deepStrictEqual(await first.stop(), [0, null])

    const second = await run("--seed", "9")
    assert.strictEqual(second.apiKey, first.apiKey)
    assert.deepStrictEqual(await second.call("/_fake/snapshot", undefined, key), before)
    await second.call("/_fake/reset", {})
    const { subscribers } = (await second.call("/_fake/state")) as { readonly subscribers?: ReadonlyArray<object> }
    assert.lengthOf(subscribers ?? [], 1)
    const next = await second.call("/_fake/environments", { data: "empty" })
    assert.strictEqual(next["number"], 3)
    await second.stop()

    writeFileSync(file, `{"version": 1, "environments": []}`)
    const refused = start("--snapshot", file)
    const text = await textOf(refused.stderr)
    assert.match(text, /^signalbox-fake: snapshot file\.environments\.0: is missing\n$/u)
    rmSync(folder, { recursive: true })
  })

  it.skipIf(process.platform === "win32").each(["throw new Error", "Promise.reject(new Error"])(
    "says in one line what crashed it, without secrets: %s",
    async (crash) => {
      const secrets = ["ApiKey key-4711", "deviceTokens=token-4711", "https://hooks.example.test/T0/4711"]
      const source = `process.on("SIGUSR2", () => setImmediate(() => { ${crash}(process.env.QUOTED)${crash.includes("(") ? ")" : ""} }))`
      const child = spawn(process.execPath, [program], {
        stdio: "pipe",
        env: {
          ...process.env,
          QUOTED: `cannot read ${secrets.join(" ")}`,
          NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(source)}`
        }
      })
      const ended = once(child, "exit")
      const written = textOf(child.stderr)
      await address(child.stdout)
      child.kill("SIGUSR2")
      assert.deepStrictEqual(await ended, [1, null])
      assert.strictEqual(
        await written,
        "signalbox-fake: internal error: cannot read ApiKey <redacted> deviceTokens=<redacted> <redacted>. Please report it.\n"
      )
    }
  )

  it("serves also when the reader of its URL has closed the pipe", async () => {
    const child = start("--port", "0")
    const ended = once(child, "exit")
    const url = await address(child.stdout)
    child.stdout.destroy()
    assert.strictEqual((await fetch(`${url}/_fake`)).status, 200)
    child.kill("SIGTERM")
    assert.deepStrictEqual(await ended, [0, null])
  })

  it.skipIf(process.platform === "win32")(
    "refuses connections while file descriptors run out, and serves again",
    async () => {
      const child = spawn("bash", ["-c", `ulimit -n 40; exec "$0" "$@"`, process.execPath, program], { stdio: "pipe" })
      const ended = once(child, "exit")
      const written = textOf(child.stderr)
      const url = await address(child.stdout)
      const { hostname, port } = new URL(url)
      const sockets = Array.from({ length: 100 }, () => connect(Number(port), hostname).on("error", () => {}))
      await Promise.race(sockets.map((socket) => once(socket, "close")))
      for (const socket of sockets) socket.destroy()
      // Until the fake has noticed that they are closed, it refuses this connection, too.
      const status = (): Promise<number> => fetch(`${url}/_fake`).then((response) => response.status, status)
      assert.strictEqual(await status(), 200)
      child.kill("SIGTERM")
      assert.deepStrictEqual(await ended, [0, null])
      assert.strictEqual(await written, "")
    }
  )

  it("refuses a file that it could not write when it stops", async () => {
    const folder = mkdtempSync(join(tmpdir(), "signalbox-fake-"))
    const file = join(folder, "missing", "environments.json")
    const refused = start("--snapshot", file)
    const ended = once(refused, "exit")
    assert.strictEqual(
      await textOf(refused.stderr),
      `signalbox-fake: --snapshot ${file}: cannot be written: no such file or directory (ENOENT)\n`
    )
    assert.deepStrictEqual(await ended, [1, null])
    rmSync(folder, { recursive: true })
  })

  it.skipIf(process.platform === "win32")("keeps the old file where the disk takes no more, and says so", async () => {
    const folder = mkdtempSync(join(tmpdir(), "signalbox-fake-"))
    const file = join(folder, "environments.json")
    const first = start("--snapshot", file, "--empty")
    await address(first.stdout)
    first.kill("SIGTERM")
    await once(first, "exit")
    const before = readFileSync(file, "utf8")
    const limited = limitedTo(8, "--snapshot", file)
    const url = await address(limited.stdout)
    const seed = JSON.stringify({
      subscribers: Array.from({ length: 500 }, (_, at) => ({ subscriberId: `user-${at}` }))
    })
    const { apiKey } = JSON.parse(before).environments[0]
    const headers = { authorization: `ApiKey ${apiKey}` }
    assert.strictEqual((await fetch(`${url}/_fake/seed`, { method: "POST", headers, body: seed })).status, 201)
    const ended = once(limited, "exit")
    limited.kill("SIGTERM")
    assert.strictEqual(
      await textOf(limited.stderr),
      `signalbox-fake: --snapshot ${file}: cannot be written: file too large (EFBIG)\n`
    )
    assert.deepStrictEqual(await ended, [1, null])
    assert.deepStrictEqual(readdirSync(folder), ["environments.json"])
    assert.strictEqual(readFileSync(file, "utf8"), before)
    rmSync(folder, { recursive: true })
  })

  it("serves its pages", async () => {
    const child = start("--empty")
    const url = await address(child.stdout)
    const html = await (await fetch(url)).text()
    const linked = [...html.matchAll(/(?:src|href)="(\/_fake\/pages\/[^"]+)"/gu)].map(([, path]) => path)
    assert.lengthOf(linked, 3)
    for (const path of [...linked, "/docs", "/_fake/pages/Reference.js", "/openapi.json", "/_fake/openapi.json"]) {
      assert.strictEqual((await fetch(url + path)).status, 200, path)
    }
    child.kill("SIGTERM")
  })

  it("reports that the port is in use", async () => {
    const first = start()
    const [line] = await once(createInterface(first.stdout), "line")
    const { port } = new URL((JSON.parse(String(line)) as { readonly url: string }).url)
    const second = start("--port", port)
    const [text, [code]] = await Promise.all([textOf(second.stderr), once(second, "exit")])
    first.kill("SIGTERM")
    assert.include(text, "EADDRINUSE")
    assert.strictEqual(code, 1)
    await once(first, "exit")
  })

  /** A client that reads calls from its input; the expression makes the outcome of one call. */
  const clientWith = (outcome: string): ReadonlyArray<string> => {
    const script = `
      const { SIGNALBOX_API_KEY: key, SIGNALBOX_BASE_URL: url } = process.env
      const send = async (call) => {
        const { deadlineMs, operation, subscriberId, ...input } = call
        const [method, path] = {
          "credentials.upsert": ["PATCH", "/subscribers/" + encodeURIComponent(subscriberId) + "/credentials"],
          "messages.markAs": ["POST", "/subscribers/" + encodeURIComponent(subscriberId) + "/messages/mark-as"],
          "events.list": ["GET", "/notifications?" + new URLSearchParams(input)]
        }[operation]
        const headers = { authorization: "ApiKey " + key, "content-type": "application/json" }
        const body = method === "GET" ? {} : { body: JSON.stringify(input) }
        const response = await fetch(url + "/v1" + path, { method, headers, ...body, signal: AbortSignal.timeout(deadlineMs) })
        await response.json()
        if (!response.ok) throw new Error("status " + response.status)
      }
      for await (const line of require("node:readline").createInterface({ input: process.stdin })) {
        const call = JSON.parse(line)
        console.log(JSON.stringify({ outcome: await (${outcome}) }))
      }`
    return [process.execPath, "-e", `(async () => {${script}})()`]
  }

  const checked = async (outcome: string, ...words: ReadonlyArray<string>) => {
    const child = start("check", ...words, "--", ...clientWith(outcome))
    const [stdout, stderr, [code]] = await Promise.all([
      textOf(child.stdout),
      textOf(child.stderr),
      once(child, "exit")
    ])
    return { stdout, stderr, code }
  }

  // On a busy machine, delayed programs run again with longer deadlines.
  it("checks a client in any language, and reproduces a finding", { timeout: 300_000 }, async () => {
    const careful = `send(call).then(() => "ok", () => "unknown")`
    const few = ["--runs", "6", "--deadline-ms", "2000"]
    const passed = await checked(careful, ...few)
    assert.deepStrictEqual([passed.code, passed.stderr], [0, ""], passed.stdout)
    assert.match(passed.stdout, /^no rule broken in 6 programs \(calls: \d+ ok, 0 failed, \d+ unknown\)\n$/u)

    const swallows = `send(call).then(() => "ok", () => "ok")`
    const broken = await checked(swallows, ...few)
    assert.strictEqual(broken.code, 1, broken.stderr)
    assert.match(broken.stdout, /^lost-after-ack \(\d+ programs?\): call \d+, /mu)
    const token = /^lost-after-ack .*?TOKEN=(\S+)/msu.exec(broken.stdout)?.[1] ?? ""
    const again = await checked(swallows, "--reproduce", token)
    assert.match(again.stdout, /^rules broken: 1 in 1 programs/u)
  })

  it("says what is wrong with a client that is not connected", async () => {
    const refused = await checked(`send({ ...call, operation: "none" }).then(() => "ok", () => "failed")`)
    assert.strictEqual(refused.code, 2)
    assert.include(refused.stderr, "the client does not succeed without faults (credentials.upsert: failed")
  })
})
