import { describe, expect, it } from "@effect/vitest"
import { createHash } from "node:crypto"
import { createFake, Fault, manualClock } from "../index.ts"
import { isOfPipeline } from "../../test/pipelineSwitches.ts"
import * as SwitchTable from "../switches/Switches.ts"

type Send = (name: string, path: string, init?: RequestInit) => Promise<void>

const upsertPath = "/v1/subscribers/ana/credentials"
const markPath = "/v1/subscribers/ana/messages/mark-as"
const json = { "content-type": "application/json" }
/** The value of a header that is not sent. */
const absent = ""
const tokens = (...deviceTokens: ReadonlyArray<string>) =>
  JSON.stringify({ providerId: "fcm", credentials: { deviceTokens } })

/** Requests whose credentials, route or body are wrong. */
const sendWrongRequests = async (send: Send): Promise<void> => {
  await send("no key", "/v1/notifications", { headers: { authorization: absent } })
  await send("a key without a scheme", "/v1/notifications", { headers: { authorization: "key" } })
  await send("another scheme", "/v1/notifications", { headers: { authorization: "Bearer key" } })
  await send("another key", "/v1/notifications", { headers: { authorization: "ApiKey stranger" } })
  await send("another method", upsertPath, { method: "DELETE" })
  await send("another path", "/v1/subscribers")
  await send("another version", "/v2/notifications?limit=1", { method: "POST" })
  await send("another case and a slash", "/V1/notifications/?limit=1")
  await send("a path that cannot be decoded", "/v1/subscribers/%zz/credentials")
  await send("a head", "/v1/notifications?limit=1", { method: "HEAD" })
  await send("a preflight", upsertPath, { method: "OPTIONS" })
  await send("a known tag", "/v1/notifications?limit=1", { headers: { "if-none-match": "*" } })
  await send("no JSON and another key", upsertPath, {
    method: "PATCH",
    headers: { ...json, authorization: "ApiKey stranger" },
    body: "{"
  })
  await send("JSON that is no object", upsertPath, { method: "PATCH", headers: json, body: "5" })
  await send("deep JSON", upsertPath, { method: "PATCH", headers: json, body: "[".repeat(1_000) + "]".repeat(1_000) })
  await send("another charset", upsertPath, {
    method: "PATCH",
    headers: { "content-type": "application/json; charset=latin1" },
    body: tokens("latin")
  })
  await send("a form", upsertPath, {
    method: "PATCH",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: "providerId=fcm&credentials[deviceTokens][]=form-token"
  })
  await send("no JSON", upsertPath, { method: "PATCH", headers: json, body: "{" })
  await send("no body", upsertPath, { method: "PATCH", headers: json })
  await send("another content type", upsertPath, {
    method: "PATCH",
    headers: { "content-type": "text/plain" },
    body: tokens("plain-token")
  })
  await send("a content type with parameters", upsertPath, {
    method: "PATCH",
    headers: { "content-type": "application/json; charset=utf-8" },
    body: tokens("json-token")
  })
  for (const bytes of [102_400, 102_401, 200_000, 2_000_000]) {
    const [start, end] = tokens("").split('""')
    await send(`a body of ${bytes} bytes`, "/v1/subscribers/nobody/credentials", {
      method: "PATCH",
      headers: json,
      body: `${start}"${"t".repeat(bytes - tokens("").length)}"${end}`
    })
  }
}

/** Requests with idempotency keys, hours apart. */
const sendWithKeys = async (send: Send, advance: (millis: number) => void): Promise<void> => {
  const withKey = (key: string, body: string): RequestInit => ({
    method: "PATCH",
    headers: { ...json, "idempotency-key": key },
    body
  })
  await send("a new key", upsertPath, withKey("k1", tokens("a")))
  await send("the same body", upsertPath, withKey("k1", tokens("a")))
  const swapped = JSON.stringify({ credentials: { deviceTokens: ["a"] }, providerId: "fcm" })
  await send("the same body in another order", upsertPath, withKey("k1", swapped))
  await send("another body", upsertPath, withKey("k1", tokens("b")))
  await send("the key for another subscriber", "/v1/subscribers/bo/credentials", withKey("k1", tokens("a")))
  await send("a failing request", upsertPath, withKey("k2", "{}"))
  await send("the failing request again", upsertPath, withKey("k2", "{}"))
  await send("a long key", upsertPath, withKey("k".repeat(256), tokens("c")))
  await send("a key of a read", "/v1/notifications?limit=1", { headers: { "idempotency-key": "k3" } })
  await send("a key of another read", "/v1/notifications?limit=2", { headers: { "idempotency-key": "k3" } })
  advance(2 * 3_600_000)
  await send("the same body after two hours", upsertPath, withKey("k1", tokens("a")))
  advance(23 * 3_600_000)
  await send("the same body after 25 hours", upsertPath, withKey("k1", tokens("a")))
}

/** The responses to a fixed program, by the name of the request, and the journal. */
const play = async (switches: Partial<SwitchTable.Switches>, more: Record<string, string> = {}) => {
  const clock = manualClock("2026-05-01T08:00:00Z")
  const fake = createFake({ data: "empty", seed: 5, clock, switches, organization: "acme" })
  const other = fake.environment({ data: "empty", seed: 6, clock, switches, organization: "acme" })
  for (const subscriberId of ["ana", "bo"]) fake.addSubscriber({ subscriberId })
  fake.addIntegration({ providerId: "fcm" })
  const responses = new Map<string, string>()
  const ask = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const all = Object.entries({ authorization: `ApiKey ${fake.apiKey}`, ...more, ...init.headers })
    const headers = all.filter(([, value]) => value !== absent)
    return fake.fetch(fake.baseUrl + path, { ...init, headers })
  }
  const shown = async (response: Response): Promise<string> => {
    const text = await response.text()
    const headers = JSON.stringify(Object.fromEntries(response.headers))
    return `${response.status} ${headers} ${text.length > 400 ? `${text.length} characters` : text}`
  }
  const send: Send = async (name, path, init) => {
    responses.set(name, await shown(await ask(path, init)))
    clock.advance(1_000)
  }
  await sendWrongRequests(send)
  await sendWithKeys(send, (millis) => clock.advance(millis))
  const keyed = { ...json, "idempotency-key": "shared" }
  await send("a key of an organization", upsertPath, { method: "PATCH", headers: keyed, body: tokens("a") })
  await send("the key in another environment", upsertPath, {
    method: "PATCH",
    headers: { ...keyed, authorization: `ApiKey ${other.apiKey}` },
    body: tokens("a")
  })

  fake.faults.add(Fault.latency(5_000, { operation: "messages.markAs", at: "validated" }))
  const mark = (read: string) =>
    ask(markPath, {
      method: "POST",
      headers: { ...json, "idempotency-key": "k4" },
      body: JSON.stringify({ messageId: ["0".repeat(24)], markAs: read })
    }).then(shown)
  /** Waits until a number of these requests have arrived, and done what they can without time. */
  const arrived = async (count: number): Promise<void> => {
    const all = () => fake.journal.entries().filter(({ operation }) => operation === "messages.markAs")
    while (all().length < count) await new Promise((resolve) => setImmediate(resolve))
    await new Promise((resolve) => setImmediate(resolve))
  }
  const slow = mark("read")
  await arrived(1)
  const second = mark("read")
  await arrived(2)
  clock.advance(10_000)
  responses.set("a slow request", await slow)
  responses.set("the slow request while it is in progress", await second)

  if ("credentials.concurrent" in switches) {
    const upserts = ["x", "y"].map((token) => ask(upsertPath, { method: "PATCH", headers: json, body: tokens(token) }))
    for (const [at, response] of (await Promise.all(upserts)).entries()) {
      responses.set(`upsert ${at + 1} of two at the same time`, await shown(response))
    }
  }
  if ("rateLimit.plan" in switches) {
    const limited = createFake({ data: "empty", clock, switches })
    const burst: Array<string> = []
    const headers = { authorization: `ApiKey ${limited.apiKey}` }
    for (let number = 1; number <= 166; number += 1) {
      burst.push(await shown(await limited.fetch(`${limited.baseUrl}/v1/notifications`, { headers })))
    }
    responses.set("the first of 166 requests", burst[0] ?? "")
    responses.set("request 61 of 166", burst[60] ?? "")
    responses.set("the last of 166 requests", burst.at(-1) ?? "")
  }
  return { responses, journal: fake.journal.entries() }
}

const decided = SwitchTable.switchNames.filter(isOfPipeline)

/** Switches that need others to have an effect: keys are honoured, requests limited. */
const needs = (name: string): Partial<SwitchTable.Switches> => ({
  ...(name.startsWith("idempotency.") && name !== "idempotency.sameBody" ? { "idempotency.sameBody": "replay" } : {}),
  ...(name === "credentials.concurrent" ? { "credentials.concurrent": "serialised" } : {}),
  ...(name.startsWith("rateLimit.") ? { "rateLimit.plan": "free" } : {})
})

const linesOf = (responses: ReadonlyMap<string, string>, usual?: ReadonlyMap<string, string>): ReadonlyArray<string> =>
  [...responses].flatMap(([name, line]) => (usual?.get(name) === line ? [] : [`  ${name}`, `    ${line}`]))

describe("the switches of requests", () => {
  it("requests.txt has every response and the journal with the default preset", async () => {
    const { journal, responses } = await play({ "rateLimit.plan": "off" })
    const lines = [...linesOf(responses), ...journal.map((entry) => JSON.stringify(entry))]
    await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("./requests.txt")
  })

  it("provenance.txt has the provenance of each response", async () => {
    const lines: Array<string> = []
    for (const preset of ["document", "observed", "adversarial"] as const) {
      const { responses } = await play(SwitchTable.preset(preset), { "x-fake-provenance": "1" })
      for (const [name, line] of responses) {
        const [, provenance] = /"x-fake-provenance":"([^"]*)"/u.exec(line) ?? []
        lines.push(`${preset}, ${name}: ${provenance ?? "none"}`)
      }
    }
    await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("./provenance.txt")
  })

  it.each(decided)("%s changes the responses in its file", async (name) => {
    const others = needs(name)
    const { [name]: standard } = { ...SwitchTable.document, ...others }
    const { responses: usual } = await play(others)
    const lines: Array<string> = []
    const digests = new Set<string>()
    for (const value of SwitchTable.switchRow(name).values) {
      if (value === standard) continue
      // One of the values of the switch.
      const { responses } = await play({ ...others, [name]: value } as Partial<SwitchTable.Switches>)
      const changed = linesOf(responses, usual)
      expect(changed).not.toEqual([])
      const digest = createHash("sha256").update(changed.join()).digest("hex").slice(0, 12)
      expect(digests).not.toContain(digest)
      digests.add(digest)
      lines.push(`${name}: ${value} (${changed.length / 2} responses, ${digest})`)
      lines.push(...changed.slice(0, 6), ...changed.slice(6).slice(-6), "")
    }
    await expect(lines.join("\n")).toMatchFileSnapshot(`./switches/${name}.txt`)
  })
})
