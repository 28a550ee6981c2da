import { folderOfSuite, folderOfTest } from "@signalbox/testing/Folder"
import { gone, isRunning, startProgram } from "@signalbox/testing/Program"
import { listenOnLoopback } from "@signalbox/testing/Loopback"
import { createServer } from "node:http"
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { userInfo } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { afterAll, assert, beforeAll, describe, it, onTestFinished } from "@effect/vitest"
import { createFake, Fault, reproductionToken } from "@signalbox/test-harness"
import { listen } from "@signalbox/test-harness/server"
import { allHelp } from "../../src/help/AllHelp.ts"
import { helpText } from "../../src/help/HelpText.ts"
import { serveFake, type ServedFake } from "../CommandLineTest.ts"
import { program } from "../BuiltProgram.ts"

let served: ServedFake

beforeAll(async () => {
  served = await serveFake({ events: 400 })
})

afterAll(() => served.close())

const environment = () => ({
  PATH: process.env["PATH"],
  HOME: "/dev/null",
  XDG_CACHE_HOME: fileURLToPath(new URL("../../node_modules/.cache", import.meta.url)),
  NODE: process.execPath,
  PROGRAM: program,
  ...served.environment
})

const start = (file: string, args: ReadonlyArray<string>) => startProgram(file, args, { env: environment() })

const signalbox = (...args: ReadonlyArray<string>) => start(process.execPath, [program, ...args])

/** A command of a shell in which `signalbox` is the program. */
const shell = (command: string) =>
  start("bash", ["-c", `set -o pipefail; signalbox() { "$NODE" "$PROGRAM" "$@"; }; ${command}`])

it("runs from its sources, without a build", async () => {
  const source = fileURLToPath(new URL("../../src/main.ts", import.meta.url))
  const run = async (...args: ReadonlyArray<string>) => {
    const { code, stdout } = await start(process.execPath, [source, ...args]).ended
    return { code, line: stdout.split("\n")[0] }
  }
  assert.deepStrictEqual(await run("--version"), { code: 0, line: "source" })
  assert.deepStrictEqual(await run("events", "list", "--help"), { code: 0, line: "List events, newest first." })
})

describe("pipes", () => {
  it("stops without a word when the reader of its output is gone", async () => {
    const { code, stderr, stdout } = await shell("signalbox events list --all --fields id | head -1").ended
    assert.deepStrictEqual([code, stderr, stdout.split("\n").length], [0, "", 2])
  })

  it("writes everything to a slow reader", async () => {
    const { code, stdout } = await shell("signalbox events list --all | (sleep 0.3; wc -l)").ended
    assert.deepStrictEqual([code, stdout.trim()], [0, "400"])
  })

  it.each([["events list --all"], ["events list --json"], ["openapi"], ["--version"], ["events list --help"]])(
    "%s exits with 8 and one line where its output cannot be written",
    async (command) => {
      const folder = folderOfTest()
      const { code, stderr } = await shell(`(trap "" XFSZ; ulimit -f 0; signalbox ${command} > "${folder}/output")`)
        .ended
      assert.deepStrictEqual(
        [code, stderr.split("\n").filter((line) => !line.startsWith("There are more"))],
        [8, ["signalbox: cannot write the output: file too large (EFBIG)", ""]]
      )
    }
  )

  it("leaves the configuration as it was where the disk takes no more", async () => {
    const folder = folderOfTest()
    const add = (name: string) =>
      `XDG_CONFIG_HOME="${folder}" signalbox connections add ${name} --base-url https://api.example.com --api-key-env KEY`
    assert.strictEqual((await shell(add("eu")).ended).code, 0)
    const file = join(folder, "signalbox", "config.toml")
    const before = readFileSync(file, "utf8")
    const { code, stderr } = await shell(`(trap "" XFSZ; ulimit -f 0; ${add("us")})`).ended
    assert.deepStrictEqual([code, stderr], [2, `signalbox: cannot write ${file}: file too large (EFBIG)\n`])
    assert.deepStrictEqual(readdirSync(join(folder, "signalbox")), ["config.toml"])
    assert.strictEqual(readFileSync(file, "utf8"), before)
  })

  it("finds the configuration of the user without HOME, and makes no folder where it runs", async () => {
    const folder = folderOfTest()
    const { code, stderr } = await shell(`cd "${folder}"; env -u HOME "$NODE" "$PROGRAM" connections check nowhere`)
      .ended
    assert.include(stderr, `signalbox: ${userInfo().homedir}/.config/signalbox/config.toml: no connection is named`)
    assert.deepStrictEqual([code, readdirSync(folder)], [2, []])
  })

  it("works with few file descriptors", async () => {
    const { code, stdout } = await shell("(ulimit -n 32; signalbox events list --all | wc -l)").ended
    assert.deepStrictEqual([code, stdout.trim()], [0, "400"])
  })

  it("exits with 7 and one line where no service is", async () => {
    const { code, stderr } = await shell("SIGNALBOX_BASE_URL=http://127.0.0.1:1 signalbox events list").ended
    assert.strictEqual(code, 7)
    assert.match(
      stderr,
      /^signalbox: events\.list failed after 3 attempts: connection failed with ECONNREFUSED, [^\n]+\n$/u
    )
  })
})

describe("signals", () => {
  it("finishes the page after ctrl-c and prints a cursor that continues after it", async () => {
    // Its clock is the machine's, so that latency passes.
    const fake = createFake({ seed: 1, events: 400 })
    fake.faults.add(Fault.latency(100, { times: "always" }))
    await using server = await listen(fake)
    const list = (...args: ReadonlyArray<string>) =>
      shell(
        `SIGNALBOX_BASE_URL=${server.url} SIGNALBOX_API_KEY=${fake.apiKey} exec "$NODE" "$PROGRAM" events list --all --fields id ${args.join(" ")}`
      )
    const { child, ended, printed } = list()
    await printed("stdout", "\n")
    child.kill("SIGINT")
    const first = await ended
    assert.strictEqual(first.code, 130)
    const cursor = /^Interrupted after \d+ events; continue with --cursor (?<cursor>\S+)\n$/u.exec(first.stderr)
      ?.groups?.["cursor"]
    const rest = await list("--cursor", cursor ?? "").ended
    const ids = (first.stdout + rest.stdout).trimEnd().split("\n")
    assert.deepStrictEqual([ids.length, new Set(ids).size], [400, 400])
  })

  it("finishes the calls in flight after ctrl-c and reports how far it marked", async () => {
    const fake = createFake({ seed: 1, data: "empty" })
    fake.addSubscriber({ subscriberId: "u_1" })
    const ids = Array.from({ length: 1000 }, (_, at) => `m${at}`)
    for (const id of ids) fake.addMessage({ subscriberId: "u_1", id })
    fake.faults.add(Fault.latency(200, { times: "always" }))
    await using server = await listen(fake)
    const { child, ended, printed } = shell(
      `export SIGNALBOX_BASE_URL=${server.url} SIGNALBOX_API_KEY=${fake.apiKey}
       exec "$NODE" "$PROGRAM" messages mark-as read --subscriber u_1 --yes --fields id - < <(printf '%s\n' ${ids.join(" ")})`
    )
    await printed("stdout", "\n")
    child.kill("SIGINT")
    const { code, stderr, stdout } = await ended
    const marked = stdout.trimEnd().split("\n").length
    assert.deepStrictEqual(
      [code, stderr],
      [130, `Interrupted: ${marked} of 1000 messages were marked, up to m${marked - 1}. Safe to run again.\n`]
    )
    for (const entry of fake.journal.entries()) assert.isTrue(entry.applied)
  })

  it("puts credentials back when a calibration is interrupted", async () => {
    const fake = createFake({ seed: 1, preset: "observed", data: "empty" })
    const { id, identifier } = fake.addIntegration({ providerId: "fcm" })
    const credentials = { deviceTokens: ["token"], webhookUrl: "https://hooks.example.test/T0", channel: "#team" }
    const entry = { providerId: "fcm" as const, integrationId: id, integrationIdentifier: identifier, credentials }
    fake.addSubscriber({ subscriberId: "u_1", channels: [entry] })
    fake.faults.add(Fault.latency(20, { times: "always" }))
    await using server = await listen(fake)
    const folder = folderOfTest()
    const { child, ended } = shell(
      `cd ${folder}; SIGNALBOX_BASE_URL=${server.url} SIGNALBOX_API_KEY=${fake.apiKey} exec "$NODE" "$PROGRAM" doctor --calibrate -s u_1 --yes`
    )
    await new Promise<void>((resolve) => {
      const stop = fake.journal.subscribe(() => {
        if (fake.journal.entries().filter(({ applied }) => applied).length < 10) return
        stop()
        resolve()
      })
    })
    child.kill("SIGINT")
    const { code, stderr, stdout } = await ended
    assert.deepStrictEqual([code, stdout, readdirSync(folder)], [130, "", []])
    assert.include(stderr, "Different now: the version and the update time of u_1\n")
    assert.deepStrictEqual(fake.state().subscribers[0]?.channels, [entry])
  })

  it("ends a listing that follows", async () => {
    const { child, ended, printed } = signalbox("events", "list", "--follow", "--limit", "3")
    await printed("stderr", "Following")
    child.kill("SIGINT")
    assert.strictEqual((await ended).code, 130)
  })
})

describe("a key of a command", () => {
  /** A connection whose key a command prints; the service accepts the key that the test wants. */
  const connected = async (command: string) => {
    const served = { key: "key-one" }
    const server = createServer((request, response) => {
      const isAccepted = request.headers.authorization === `ApiKey ${served.key}`
      response.writeHead(isAccepted ? 200 : 401, { "content-type": "application/json" })
      response.end(JSON.stringify(isAccepted ? { page: 0, pageSize: 50, hasMore: false, data: [] } : {}))
    })
    const port = await listenOnLoopback(server)
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    const folder = folderOfTest()
    mkdirSync(join(folder, "signalbox"))
    writeFileSync(
      join(folder, "signalbox", "config.toml"),
      `[connections.eu]\nbaseUrl = "http://127.0.0.1:${port}"\napiKeyCommand = "${command.replace("FOLDER", folder)}"\n`
    )
    const { NODE, PATH } = environment()
    const env = { NODE, PATH, XDG_CONFIG_HOME: folder }
    const run = (...args: ReadonlyArray<string>) =>
      startProgram(process.execPath, [program, ...args, "-c", "eu"], { env })
    const printKey = (key: string) => writeFileSync(join(folder, "key"), key)
    printKey(served.key)
    return { served, run, printKey }
  }

  it.each([["watch"], ["events", "list", "--follow"]])(
    "is read again where it was rotated, and once for each rotation: %s",
    async (...command) => {
      const { printKey, run, served } = await connected("cat FOLDER/key")
      const { ended, printed, read } = run(...command)
      await printed("stderr", "ctrl-c stops")
      printKey((served.key = "key-two"))
      await printed("stderr", "The API key has changed; reading continues with the new one\n")
      served.key = "key-three"
      const { code } = await ended
      assert.deepStrictEqual([code, read.stderr.split("has changed").length], [3, 2])
      assert.notInclude(read.stderr, "key-two")
    }
  )

  it("is waited for no longer than --timeout", async () => {
    const { run } = await connected("sleep 30")
    const { code, stderr } = await run("events", "list", "--timeout", "1s").ended
    assert.deepStrictEqual(
      [code, stderr],
      [2, 'signalbox: connection "eu": no API key within the 1000 ms of --timeout\n']
    )
  })
})

describe("watch", () => {
  /** Watches a service that has had no failure, and makes the first one. */
  const watching = async (options: ReadonlyArray<string>) => {
    const fake = createFake({ data: "empty" })
    fake.addSubscriber({ subscriberId: "ana", email: "ana@example.test" })
    fake.addIntegration({ providerId: "nodemailer" })
    fake.addWorkflow({ identifier: "receipt", steps: [{ type: "email", subject: "Paid" }] })
    const { close, url } = await listen(fake)
    onTestFinished(() => close())
    const env = { ...environment(), SIGNALBOX_BASE_URL: url, SIGNALBOX_API_KEY: fake.apiKey }
    const watch = startProgram(process.execPath, [program, "watch", ...options], { env })
    await watch.printed("stderr", "Watching")
    fake.trigger({ workflow: "receipt", to: "ana", failures: { email: "content-not-generated" } })
    return watch
  }

  it("prints a new cause as one line of JSON, and stops on ctrl-c", async () => {
    const { child, ended, printed } = await watching([])
    await printed("stdout", "\n")
    child.kill("SIGINT")
    const { code, stdout } = await ended
    const { alert, count } = JSON.parse(stdout)
    assert.deepStrictEqual([code, alert, count], [130, "new", 1])
  })

  it("exits with 1 at an alert that was asked for, and with 0 after its time", async () => {
    const found = await (await watching(["--exit-on", "new"])).ended
    assert.deepStrictEqual([found.code, found.stdout.trimEnd().split("\n").length], [1, 1])
    const over = await (await watching(["--for", "1s", "--exit-on", "ended"])).ended
    assert.strictEqual(over.code, 0)
  })

  it("stops when the reader of its output is gone", async () => {
    const { child, ended } = await watching([])
    child.stdout.destroy()
    assert.strictEqual((await ended).code, 0)
  })
})

describe("fake", () => {
  it("prints where it is when it is ready, and stops on a signal", async () => {
    const { child, ended, printed, read } = signalbox("fake", "--empty")
    await printed("stdout", "\n")
    const { apiKey, url } = JSON.parse(read.stdout)
    const response = await fetch(`${url}/v1/notifications`, { headers: { authorization: `ApiKey ${apiKey}` } })
    assert.deepInclude(await response.json(), { data: [] })
    child.kill("SIGTERM")
    assert.strictEqual((await ended).code, 143)
  })

  it("reads a preset from a file, to serve and to run a program", async () => {
    const folder = folderOfTest()
    const file = join(folder, "team.json")
    writeFileSync(file, JSON.stringify({ version: 1, extends: "observed", switches: { "auth.missingKey": "403" } }))
    const { child, ended, printed, read } = signalbox("fake", "--preset", file)
    await printed("stdout", "\n")
    assert.strictEqual((await fetch(`${JSON.parse(read.stdout).url}/v1/notifications`)).status, 403)
    child.kill("SIGTERM")
    await ended
    const request = 'fetch(process.env.SIGNALBOX_BASE_URL + "/v1/notifications").then(r => console.log(r.status))'
    const { stdout } = await signalbox("fake", "exec", "--preset", file, "--", process.execPath, "-e", request).ended
    assert.strictEqual(stdout, "403\n")
  })

  it("starts as a reproduction token says, and refuses one that is not whole", async () => {
    const token = reproductionToken({ data: "empty", preset: "observed", faults: [Fault.status(418)] })
    const request =
      'const { SIGNALBOX_BASE_URL: url, SIGNALBOX_API_KEY: key } = process.env; const list = () => fetch(url + "/v1/notifications", { headers: { authorization: "ApiKey " + key } }); list().then(async (first) => console.log(first.status, (await (await list()).json()).data.length))'
    const run = (...flags: ReadonlyArray<string>) =>
      signalbox("fake", "exec", ...flags, "--", process.execPath, "-e", request).ended
    assert.strictEqual((await run("--reproduce", token)).stdout, "418 0\n")
    assert.strictEqual((await run("--reproduce", token, "--demo")).stdout, "418 10\n")
    const { code, stderr } = await run("--reproduce", token.slice(0, 20))
    assert.deepStrictEqual([code, stderr], [2, "signalbox: reproduction token: must start with sb1. and be complete\n"])
  })

  it("runs a program against a new fake and exits with its code", async () => {
    const { code, stdout } = await signalbox(
      "fake",
      "exec",
      "--",
      "bash",
      "-c",
      '[ "$SIGNALBOX_BASE_URL" != "" ] && "$NODE" "$PROGRAM" events list --limit 2 --fields result -q && exit 9'
    ).ended
    assert.deepStrictEqual([code, stdout.trim().split("\n").length], [9, 2])
  })

  it("passes signals on to all of the program, and leaves nothing running", async () => {
    const { child, ended, printed, read } = signalbox(
      "fake",
      "exec",
      "--",
      "bash",
      "-c",
      'trap "echo got it; exit 5" TERM; sleep 1000 & echo "$!"; wait'
    )
    await printed("stdout", "\n")
    const pid = Number(read.stdout.trim())
    assert.isTrue(isRunning(pid))
    child.kill("SIGTERM")
    const { code, stdout } = await ended
    assert.deepStrictEqual([code, stdout.includes("got it")], [5, true])
    await gone(pid)
  })

  it("leaves nothing running that the program leaves behind", async () => {
    const { ended } = signalbox("fake", "exec", "--", "bash", "-c", "sleep 1000 >/dev/null 2>&1 & echo $!")
    const { code, stdout } = await ended
    assert.strictEqual(code, 0)
    const pid = Number(stdout.trim())
    await gone(pid)
  })

  const npmHome = folderOfSuite()

  /** A command below `npm`, as `npx @signalbox/cli` runs it. `npm` writes to the home folder. */
  const belowNpm = (command: string) => start("env", [`HOME=${npmHome}`, "npm", "exec", "--offline", "-c", command])

  /** Waits until nothing listens at a URL. */
  const silent = async (url: string) => {
    for (;;) {
      try {
        await fetch(url)
      } catch {
        return
      }
      await setTimeout(20)
    }
  }

  it("stops when the package manager that started it is killed", async () => {
    const { child, printed, read } = belowNpm('"$NODE" "$PROGRAM" fake --empty')
    await printed("stdout", "\n")
    child.kill("SIGKILL")
    await silent(JSON.parse(read.stdout).url)
  })

  it("keeps running when the shell that started it ends", async () => {
    const { child, printed, read } = shell('"$NODE" "$PROGRAM" fake --empty & echo $! >&2; wait')
    await printed("stderr", "\n")
    await printed("stdout", "\n")
    const { url } = JSON.parse(read.stdout)
    child.kill("SIGKILL")
    assert.strictEqual((await fetch(`${url}/_fake`)).status, 200)
    process.kill(Number(read.stderr), "SIGTERM")
    await silent(url)
  })

  it("stops the program when the package manager that started it is killed", async () => {
    const { child, printed, read } = belowNpm(`"$NODE" "$PROGRAM" fake exec -- bash -c 'sleep 1000 & echo $!; wait'`)
    await printed("stdout", "\n")
    child.kill("SIGKILL")
    await gone(Number(read.stdout.trim()))
  })

  it("reports that a program does not exist", async () => {
    const { code, stderr } = await signalbox("fake", "exec", "--", "no-such-program").ended
    assert.deepStrictEqual([code, stderr], [2, 'signalbox: cannot run "no-such-program" (ENOENT)\n'])
  })
})

describe("mcp", () => {
  it("serves on its streams until stdin closes", async () => {
    const initialize = {
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } }
    }
    const { code, stderr, stdout } = await shell(
      `coproc signalbox mcp; pid=$COPROC_PID; echo '${JSON.stringify(initialize)}' >&"\${COPROC[1]}"
       read -r line <&"\${COPROC[0]}"; echo "$line"; eval "exec \${COPROC[1]}>&-"; wait "$pid"`
    ).ended
    assert.strictEqual(JSON.parse(stdout).result.serverInfo.name, "signalbox")
    assert.deepStrictEqual([code, stderr], [0, ""])
  })
})

describe("help", () => {
  it("is the same from the file that the build writes and from the definitions", async () => {
    for (const [path, words] of [
      [[], ["--help"]],
      [
        ["events", "list"],
        ["events", "list", "-c", "demo", "-h"]
      ],
      [["bulk"], ["help", "bulk"]]
    ] as const) {
      const doc = (await allHelp()).find(
        ({ commandPath = [] }) => commandPath.join(" ") === ["signalbox", ...path].join(" ")
      )
      const { code, stderr, stdout } = await signalbox(...words).ended
      assert.deepStrictEqual(
        [code, stderr, stdout],
        [0, "", doc === undefined ? "" : helpText(doc, { colours: false })]
      )
    }
  })

  it("explains the reason of an error", async () => {
    const { code, stdout } = await signalbox("help", "ratelimited").ended
    assert.strictEqual(code, 0)
    assert.match(stdout, /^RateLimited\n\nStatus 429/u)
    assert.include(stdout, "events.list failed: 429 Too Many Requests")
  })

  it("reports a command that it does not know", async () => {
    const { code, stderr } = await signalbox("help", "event").ended
    assert.strictEqual(code, 2)
    assert.match(stderr, /^signalbox: unknown command "event" for "signalbox"; did you mean events\?[^\n]*\n$/u)
  })

  it("ends without a word when its reader closes the pipe", async () => {
    const { stderr } = await shell("signalbox --help | head -1").ended
    assert.strictEqual(stderr, "")
  })
})
