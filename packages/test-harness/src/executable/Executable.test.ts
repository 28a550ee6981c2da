import { builtProgram } from "@signalbox/node-build/Sources"
import { folderOfTest } from "@signalbox/testing/Folder"
import { preload, type Program, startProgram } from "@signalbox/testing/Program"
import { assert, describe, it } from "@effect/vitest"
import { once } from "node:events"
import { connect } from "node:net"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Fault, reproductionToken } from "../index.ts"

const program = builtProgram(new URL("../..", import.meta.url), "signalbox-fake.js")

const start = (...words: ReadonlyArray<string>) => startProgram(process.execPath, [program, ...words])

/** Where a fake is, which it prints when it is ready. */
const placeOf = async ({ printed, read }: Program): Promise<{ readonly apiKey: string; readonly url: string }> => {
  await printed("stdout", "\n")
  return JSON.parse(read.stdout)
}

/** A page of events. */
interface Listing {
  readonly data: ReadonlyArray<{ readonly _id: string }>
}

describe("signalbox-fake", () => {
  it("is built before its tests", () => assert.isTrue(existsSync(program)))

  it("prints its URL when it is ready, responds, and stops on a signal", async () => {
    const fake = start("--seed", "4")
    const { apiKey, url } = await placeOf(fake)
    const response = await fetch(`${url}/v1/notifications?limit=2`, { headers: { authorization: `ApiKey ${apiKey}` } })
    assert.lengthOf(((await response.json()) as { readonly data: ReadonlyArray<unknown> }).data, 2)
    fake.child.kill("SIGTERM")
    assert.strictEqual((await fake.ended).code, 0)
  })

  it("names the line of a real timer in the built package, too, and waits for no pipe of what it prints", async () => {
    const library = new URL("../../dist/index.js", import.meta.url).href
    const source = [
      "const saved = setTimeout",
      `const { sweep } = await import(${JSON.stringify(library)})`,
      "const test = () => (console.error('printed'), new Promise((done) => saved(done, 5_000)))",
      "await sweep(test).catch(({ message }) => console.log(message))",
      "process.exit()"
    ].join("\n")
    const { stdout } = await startProgram(process.execPath, ["--input-type=module", "--eval", source]).ended
    assert.match(stdout, /waits on a real timer of 5000 ms, started at .*\[eval1\]:3:\d+/u)
  })

  it("stops on a signal even while a fault delays a request", async () => {
    const fake = start()
    const { apiKey, url } = await placeOf(fake)
    const headers = { authorization: `ApiKey ${apiKey}`, "content-type": "application/json" }
    const form = { _tag: "Latency", latency: { distribution: "fixed", delayMs: 3_600_000 } }
    await fetch(`${url}/_fake/faults`, { method: "POST", headers, body: JSON.stringify({ form }) })
    const held = fetch(`${url}/v1/notifications`, { headers }).catch((error: unknown) => error)
    const journal = async () => (await (await fetch(`${url}/_fake/journal`, { headers })).json()) as object
    while (!JSON.stringify(await journal()).includes("/v1/notifications")) await journal()
    fake.child.kill("SIGTERM")
    assert.strictEqual((await fake.ended).code, 0)
    assert.instanceOf(await held, TypeError)
  })

  it.each([
    [["--port", "70000"], 'signalbox-fake: --port must be an integer from 0 to 65535, not "70000"\n'],
    [["check"], "signalbox-fake: check: expected -- and the command of a client\n"]
  ])("refuses %j in one line, as Arguments.test.ts covers for every option", async (words, line) => {
    const fake = start(...words)
    assert.deepInclude(await fake.ended, { stderr: line, code: 2 })
  })

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
    const npm = startProgram("npm", ["exec", "--offline", "-c", command])
    const { url } = await placeOf(npm)
    npm.child.kill("SIGKILL")
    await stopped(url)
  })

  it("keeps running when the shell that started it ends", async () => {
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("npm_")))
    const shell = startProgram("sh", ["-c", `"${process.execPath}" "${program}" --empty & echo $! >&2`], { env })
    const ended = once(shell.child, "exit")
    await shell.printed("stderr", "\n")
    const { url } = await placeOf(shell)
    await ended
    assert.strictEqual((await fetch(`${url}/_fake`)).status, 200)
    process.kill(Number(shell.read.stderr))
    await stopped(url)
  })

  it("reads a preset from a file, and the options of a reproduction token", async () => {
    const folder = folderOfTest()
    const file = join(folder, "team.json")
    const switches = { "auth.missingKey": "403" }
    const evidence = { "auth.missingKey": "GET events without a key: 403" }
    writeFileSync(file, JSON.stringify({ version: 1, extends: "observed", switches, evidence }))
    const token = reproductionToken({ data: "empty", faults: [Fault.status(418)] })
    const fake = start("--preset", file, "--reproduce", token)
    const { apiKey, url } = await placeOf(fake)
    const list = (headers: Readonly<Record<string, string>>) => fetch(`${url}/v1/notifications`, { headers })
    assert.strictEqual((await list({})).status, 403)
    assert.strictEqual((await list({ authorization: `ApiKey ${apiKey}` })).status, 418)
    fake.child.kill("SIGTERM")
    writeFileSync(file, JSON.stringify({ version: 2 }))
    const wrong = start("--preset", file)
    assert.include((await wrong.ended).stderr, "signalbox-fake: preset file.version: must be 1, not 2")
  })

  it("has keys that cannot be guessed where other machines reach it, unless one is given", async () => {
    const statusOf = async (url: string, apiKey: string) => {
      const headers = { authorization: `ApiKey ${apiKey}` }
      const { status } = await fetch(`${url.replace("0.0.0.0", "127.0.0.1")}/v1/notifications`, { headers })
      return status
    }
    const open = start("--empty", "--host", "0.0.0.0")
    const { apiKey, url } = await placeOf(open)
    assert.strictEqual(await statusOf(url, apiKey), 200)
    assert.strictEqual(await statusOf(url, "fake-key-1-1"), 401)
    open.child.kill("SIGTERM")
    const agreed = start("--empty", "--host", "0.0.0.0", "--api-key", "team-key")
    const place = await placeOf(agreed)
    assert.strictEqual(place.apiKey, "team-key")
    assert.strictEqual(await statusOf(place.url, "team-key"), 200)
    agreed.child.kill("SIGTERM")
    await Promise.all([open.ended, agreed.ended])
  })

  it("allows web pages of one origin", async () => {
    const fake = start("--empty", "--allow-origin", "http://localhost:3000")
    const { url } = await placeOf(fake)
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
    fake.child.kill("SIGTERM")
  })

  it.skipIf(process.platform === "win32").each(["throw new Error", "Promise.reject(new Error"])(
    "reports in one line what crashed it, without secrets: %s",
    async (crash) => {
      const secrets = ["ApiKey key-4711", "deviceTokens=token-4711", "https://hooks.example.test/T0/4711"]
      const throws = `${crash}(process.env.QUOTED)${crash.includes("(") ? ")" : ""}`
      const fake = startProgram(process.execPath, [program], {
        env: {
          ...process.env,
          QUOTED: `cannot read ${secrets.join(" ")}`,
          ...preload(`process.on("SIGUSR2", () => setImmediate(() => { ${throws} }))`)
        }
      })
      await placeOf(fake)
      fake.child.kill("SIGUSR2")
      const { code, stderr } = await fake.ended
      assert.strictEqual(code, 1)
      assert.strictEqual(
        stderr,
        "signalbox-fake: internal error: cannot read ApiKey <redacted> deviceTokens=<redacted> <redacted>. Please report it.\n"
      )
    }
  )

  it("serves also when the reader of its URL has closed the pipe", async () => {
    const fake = start("--port", "0")
    const { url } = await placeOf(fake)
    fake.child.stdout.destroy()
    assert.strictEqual((await fetch(`${url}/_fake`)).status, 200)
    fake.child.kill("SIGTERM")
    assert.strictEqual((await fake.ended).code, 0)
  })

  it.skipIf(process.platform === "win32")(
    "refuses connections while file descriptors run out, and serves again",
    async () => {
      const fake = startProgram("bash", ["-c", `ulimit -n 40; exec "$0" "$@"`, process.execPath, program])
      const { url } = await placeOf(fake)
      const { hostname, port } = new URL(url)
      const sockets = Array.from({ length: 100 }, () => connect(Number(port), hostname).on("error", () => {}))
      await Promise.race(sockets.map((socket) => once(socket, "close")))
      for (const socket of sockets) socket.destroy()
      // Until the fake has noticed that they are closed, it refuses this connection, too.
      const status = (): Promise<number> => fetch(`${url}/_fake`).then((response) => response.status, status)
      assert.strictEqual(await status(), 200)
      fake.child.kill("SIGTERM")
      assert.deepInclude(await fake.ended, { code: 0, stderr: "" })
    }
  )

  it("serves its pages", async () => {
    const fake = start("--empty")
    const { url } = await placeOf(fake)
    const html = await (await fetch(url)).text()
    const linked = [...html.matchAll(/(?:src|href)="(\/_fake\/pages\/[^"]+)"/gu)].map(([, path]) => path)
    assert.lengthOf(linked, 3)
    for (const path of [...linked, "/docs", "/openapi.json", "/_fake/openapi.json"]) {
      assert.strictEqual((await fetch(url + path)).status, 200, path)
    }
    fake.child.kill("SIGTERM")
  })

  it("reports that the port is in use", async () => {
    const first = start()
    const { port } = new URL((await placeOf(first)).url)
    const { code, stderr } = await start("--port", port).ended
    first.child.kill("SIGTERM")
    assert.strictEqual(stderr, `signalbox-fake: --port ${port} is in use; choose another port, or 0 for a free one\n`)
    assert.strictEqual(code, 1)
    await first.ended
  })

  it.each([[["--host", "300.1.1.1"]], [["record", "--replay", "FILE", "--host", "300.1.1.1"]]])(
    "names the flag of a host that it cannot listen on: %j",
    async (words) => {
      const file = join(folderOfTest(), "service.json")
      writeFileSync(file, JSON.stringify({ version: 1, exchanges: [] }))
      const { code, stderr } = await start(...words.map((word) => (word === "FILE" ? file : word))).ended
      assert.match(stderr, /^signalbox-fake: --host 300\.1\.1\.1 is not an address of this machine \(E[A-Z_]+\)\n$/u)
      assert.strictEqual(code, 2)
    }
  )

  it("prints the version of its package", async () => {
    const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"))
    assert.deepInclude(await start("--version").ended, { code: 0, stdout: `${version}\n` })
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

  const checked = (outcome: string, ...words: ReadonlyArray<string>) =>
    start("check", ...words, "--", ...clientWith(outcome)).ended

  it("checks a client in any language, and reproduces a finding", async () => {
    const careful = `send(call).then(() => "ok", () => "unknown")`
    // No fault of these programs hangs, so that the client never waits for the long deadline.
    const few = ["--runs", "6", "--seed", "7", "--deadline-ms", "60000"]
    const passed = await checked(careful, ...few)
    assert.deepStrictEqual([passed.code, passed.stderr], [0, ""], passed.stdout)
    assert.strictEqual(passed.stdout, "no rule broken in 6 programs (calls: 4 ok, 0 failed, 2 unknown)\n")

    const swallows = `send(call).then(() => "ok", () => "ok")`
    const broken = await checked(swallows, ...few)
    assert.strictEqual(broken.code, 1, broken.stderr)
    assert.match(broken.stdout, /^lost-after-ack \(\d+ programs?\): call \d+, /mu)
    const token = /^lost-after-ack .*?TOKEN=(\S+)/msu.exec(broken.stdout)?.[1] ?? ""
    const again = await checked(swallows, "--reproduce", token)
    assert.match(again.stdout, /^rules broken: 2 in 1 programs/u)
    assert.match(again.stdout, /^lost-after-ack \(1 program\)/mu)
  })

  it("records a service, replays it, and reports drift", async () => {
    const folder = folderOfTest()
    const file = join(folder, "service.json")
    const service = start("--preset", "observed")
    const { apiKey, url: upstream } = await placeOf(service)
    const recorder = start("record", "--upstream", upstream, "--out", file)
    const list = async (url: string) => {
      const response = await fetch(`${url}/v1/notifications?limit=2`, {
        headers: { authorization: `ApiKey ${apiKey}` }
      })
      return (await response.json()) as Listing
    }
    const pageOf = ({ data, ...page }: Listing) => ({ ...page, ids: data.map(({ _id }) => _id) })
    const first = await list((await placeOf(recorder)).url)
    recorder.child.kill("SIGTERM")
    assert.deepInclude(await recorder.ended, { code: 0, stderr: `signalbox-fake: wrote ${file} (exchanges: 1)\n` })
    service.child.kill("SIGTERM")
    const replayed = start("record", "--replay", file)
    const again = await list((await placeOf(replayed)).url)
    assert.deepStrictEqual(pageOf(again), pageOf(first))
    assert.lengthOf(pageOf(first).ids, 2)
    replayed.child.kill("SIGTERM")
    const drift = await start("record", "--drift", file, "--preset", "document").ended
    assert.strictEqual(drift.code, 1)
    assert.include(drift.stdout, "the service shows")
    const none = await start("record", "--drift", file, "--preset", "observed").ended
    assert.strictEqual(none.code, 0, none.stdout)
    assert.match(none.stdout, /^no difference \(responses with records: 1; switches: .*time\.format/u)
  })

  it("replaces no file, and names the flag of a file that it cannot write, before it records", async () => {
    const folder = folderOfTest()
    const file = join(folder, "service.json")
    writeFileSync(file, "kept")
    writeFileSync(join(folder, "other.preset.json"), "kept")
    const refusal = async (out: string) => {
      const { code, stderr, stdout } = await start("record", "--upstream", "http://127.0.0.1:9", "--out", out).ended
      assert.deepStrictEqual([code, stdout], [2, ""])
      return stderr
    }
    assert.strictEqual(await refusal(file), `signalbox-fake: --out ${file}: the file already exists\n`)
    assert.strictEqual(
      await refusal(join(folder, "other.json")),
      `signalbox-fake: --out ${join(folder, "other.preset.json")}: the file already exists\n`
    )
    const nowhere = join(folder, "none", "service.json")
    assert.strictEqual(await refusal(nowhere), `signalbox-fake: --out ${nowhere}: no such folder\n`)
    assert.strictEqual(readFileSync(file, "utf8"), "kept")
    assert.deepStrictEqual(readdirSync(folder).toSorted(), ["other.preset.json", "service.json"])
  })

  it("has written each exchange when its response arrives", async () => {
    const file = join(folderOfTest(), "service.json")
    const service = start()
    const { apiKey, url: upstream } = await placeOf(service)
    const recorder = start("record", "--upstream", upstream, "--out", file)
    const { url } = await placeOf(recorder)
    const recorded = () => JSON.parse(readFileSync(file, "utf8"))
    assert.deepStrictEqual(recorded(), { version: 1, exchanges: [] })
    for (const limit of [1, 2]) {
      await fetch(`${url}/v1/notifications?limit=${limit}`, { headers: { authorization: `ApiKey ${apiKey}` } })
      assert.strictEqual(recorded().exchanges[limit - 1].target, `/v1/notifications?limit=${limit}`)
    }
    recorder.child.kill("SIGKILL")
    await recorder.ended
    assert.strictEqual(readFileSync(file, "utf8"), `${JSON.stringify(recorded(), undefined, 2)}\n`)
    service.child.kill("SIGTERM")
    const replayed = start("record", "--replay", file)
    const { url: again } = await placeOf(replayed)
    assert.strictEqual((await fetch(`${again}/v1/notifications?limit=2`)).status, 200)
    replayed.child.kill("SIGTERM")
    const missing = join(folderOfTest(), "none.json")
    const stderr = `signalbox-fake: ${missing}: cannot be read\n`
    assert.deepInclude(await start("record", "--replay", missing).ended, { code: 2, stderr })
  })

  it.skipIf(process.platform === "win32")(
    "keeps a whole recording where the disk has no room for an exchange",
    async () => {
      const file = join(folderOfTest(), "service.json")
      const service = start()
      const { apiKey, url: upstream } = await placeOf(service)
      const words = ["record", "--upstream", upstream, "--out", file]
      const limited = `trap "" XFSZ; ulimit -f 2; exec "$0" "$@"`
      const recorder = startProgram("bash", ["-c", limited, process.execPath, program, ...words])
      const { url } = await placeOf(recorder)
      const statusOf = async (path: string) =>
        (await fetch(`${url}/v1/${path}`, { headers: { authorization: `ApiKey ${apiKey}` } })).status
      const statuses = [await statusOf("none"), await statusOf("notifications?limit=50"), await statusOf("none")]
      assert.deepStrictEqual(statuses, [404, 502, 404])
      assert.lengthOf(JSON.parse(readFileSync(file, "utf8")).exchanges, 2)
      recorder.child.kill("SIGTERM")
      service.child.kill("SIGTERM")
      const { code, stderr } = await recorder.ended
      assert.strictEqual(code, 1)
      assert.include(stderr, `signalbox-fake: --out ${file}: EFBIG: file too large, write\n`)
    }
  )

  it("leaves no file where its port is in use", async () => {
    const service = start()
    const { url } = await placeOf(service)
    const file = join(folderOfTest(), "service.json")
    const recorder = start("record", "--upstream", url, "--out", file, "--port", new URL(url).port)
    assert.strictEqual((await recorder.ended).code, 1)
    assert.isFalse(existsSync(file))
    service.child.kill("SIGTERM")
  })

  it("reports a service that cannot be reached, and a recording with nothing to compare", async () => {
    const file = join(folderOfTest(), "nothing.json")
    const service = start()
    const { host } = new URL((await placeOf(service)).url)
    service.child.kill("SIGTERM")
    await service.ended
    const recorder = start("record", "--upstream", `http://${host}/base`, "--out", file)
    assert.strictEqual((await fetch((await placeOf(recorder)).url)).status, 502)
    recorder.child.kill("SIGTERM")
    const { code, stderr } = await recorder.ended
    assert.strictEqual(code, 1)
    assert.strictEqual(
      stderr,
      `signalbox-fake: cannot reach http://${host}: connect ECONNREFUSED ${host}\nsignalbox-fake: wrote ${file} (exchanges: 0)\n`
    )
    const drift = await start("record", "--drift", file).ended
    assert.deepInclude(drift, {
      code: 2,
      stderr: "signalbox-fake: none of the 0 exchanges shows a switch or a record, so there is nothing to check\n"
    })
  })

  it("reports in one line a client that cannot be started", async () => {
    const stderr = 'signalbox-fake: cannot start "nosuchcommand" (ENOENT)\n'
    assert.deepInclude(await start("check", "--", "nosuchcommand").ended, { code: 2, stderr })
  })

  it("reports what is wrong with a client that is not connected", async () => {
    const refused = await checked(`send({ ...call, operation: "none" }).then(() => "ok", () => "failed")`)
    assert.strictEqual(refused.code, 2)
    assert.include(refused.stderr, "the client does not succeed without faults (credentials.upsert: failed")
  })
})
