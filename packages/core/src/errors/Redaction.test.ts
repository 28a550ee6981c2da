import { inspect } from "node:util"
import { assert, describe } from "@effect/vitest"
import { it } from "../../test/It.ts"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Metric from "effect/Metric"
import * as References from "effect/References"
import * as Schema from "effect/Schema"
import * as Tracer from "effect/Tracer"
import * as TestClock from "effect/testing/TestClock"
import { fork, apiKey, clientLayer, makeTransport, page, subscriber } from "../../test/transport/Transport.ts"
import { Credentials } from "../services/Credentials.ts"
import { CallObserver } from "../call/CallInfo.ts"
import { readErrorBody } from "../call/ErrorBody.ts"
import * as IdempotencyPolicy from "../policies/IdempotencyPolicy.ts"
import { isSecretName, makeRedaction, makeSecretRemoval, redact, redactTextOf, secretsInHeaders } from "./Redaction.ts"
import { ResponsePolicy } from "../policies/Policies.ts"
import { Drift } from "../policies/Drift.ts"
import * as RetryPolicy from "../policies/RetryPolicy.ts"
import * as ErrorData from "./ErrorData.ts"
import { UpsertCredentialsError } from "./Errors.ts"

const token = 'device/token+of"Ada=81'
const webhookUrl = "https://chat.example.com/deliver/4f1e8a"
const gateway = "gateway-secret-4711"
const foreign = "token-of-another-provider"

const escapedWith = (backslashes: string, secret: string) =>
  Array.from(secret, (character) => `${backslashes}u00${character.charCodeAt(0).toString(16)}`).join("")

const everyCharacter = (secret: string, encoded: (code: number) => string) =>
  Array.from(secret, (character) => encoded(character.charCodeAt(0))).join("")

const inHtml = (secret: string, entity: (code: number) => string) =>
  secret.replace(/[^\w.~-]/g, (character) => entity(character.charCodeAt(0)))

/** A secret as services write it: in JSON, in URLs and in HTML, also one inside of the other. */
const forms = (secret: string) => {
  const json = JSON.stringify(secret).slice(1, -1)
  const url = encodeURIComponent(secret)
  const named: Readonly<Record<number, string>> = {
    34: "&quot;",
    38: "&amp;",
    47: "&sol;",
    43: "&plus;",
    61: "&equals;"
  }
  return [
    secret,
    json,
    JSON.stringify(json).slice(1, -1),
    secret.replaceAll("/", "\\/"),
    secret.replaceAll("/", "\\\\/"),
    escapedWith("\\", secret),
    escapedWith("\\\\", secret),
    url,
    url.replace(/%../g, (code) => code.toLowerCase()),
    encodeURIComponent(url),
    encodeURIComponent(json),
    `%${secret.charCodeAt(0).toString(16)}${secret.slice(1)}`,
    everyCharacter(secret, (code) => `%${code.toString(16)}`),
    everyCharacter(secret, (code) => `%25${code.toString(16).toUpperCase()}`),
    everyCharacter(secret, (code) => `&#${code};`),
    everyCharacter(secret, (code) => `&amp;#x${code.toString(16)};`),
    inHtml(secret, (code) => `&#${code};`),
    inHtml(secret, (code) => `&#x${code.toString(16)};`),
    inHtml(secret, (code) => `&amp;#${code};`),
    inHtml(secret, (code) => named[code] ?? String.fromCharCode(code))
  ]
}
const allForms = (secret: string) => forms(secret).join(" ")
/** The Base64 of a longer string, without the characters that the key shares with others. */
const inBase64 = ["", "u", "u:"].map((before) => btoa(before + apiKey).slice(4, -4))
const secrets = [...[apiKey, token, webhookUrl, gateway, foreign].flatMap(forms), ...inBase64]

const echo =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  () =>
    new Response(typeof body === "string" ? body : JSON.stringify(body), { status, headers })

const echoed = {
  message: `key ApiKey ${apiKey} and ${token} at ${webhookUrl}`,
  errors: { [token]: { messages: [webhookUrl] } }
}
const record = {
  ...subscriber,
  channels: [{ providerId: "apns", _integrationId: "i", credentials: { deviceTokens: [foreign, token] } }],
  [token]: 1,
  updatedAt: 7
}

/** Everything that can come back, with the secrets wherever a service can put them. */
const answers: ReadonlyArray<(number: number) => Response | Error> = [
  echo(400, echoed),
  echo(422, echoed),
  echo(422, { errors: [{ field: token, message: apiKey }] }),
  echo(401, `<html><title>${apiKey}</title><body>${token} ${webhookUrl} ${gateway}</body></html>`),
  echo(500, encodeURIComponent(token) + JSON.stringify({ deviceTokens: [foreign], webhookUrl })),
  echo(502, `${"x".repeat(2040)}${token}`),
  echo(503, JSON.stringify({ raw: JSON.stringify({ deviceTokens: [foreign, token] }) })),
  echo(429, echoed, { "retry-after": "100000" }),
  echo(409, echoed, { "retry-after": "1" }),
  echo(400, { message: allForms(apiKey), errors: { [allForms(token)]: { messages: [allForms(webhookUrl)] } } }),
  echo(502, `<p>${[apiKey, token, webhookUrl, gateway].map(allForms).join("</p><p>")}</p>`),
  echo(401, { message: `sent ${btoa(apiKey)}, ${btoa(`u${apiKey}`)} and ${btoa(`u:${apiKey}`)}` }),
  echo(301, "", { location: allForms(webhookUrl), "x-request-id": allForms(token) }),
  () => new TypeError(allForms(token), { cause: Object.assign(new Error(allForms(apiKey)), { code: "EPIPE" }) }),
  echo(302, webhookUrl, { location: webhookUrl }),
  echo(200, record),
  echo(200, subscriber, {
    "x-request-id": `for-${apiKey}`,
    "x-debug": token,
    "ratelimit-limit": "9",
    "ratelimit-policy": apiKey
  }),
  echo(404, "", { "x-request-id": encodeURIComponent(token).toLowerCase() }),
  echo(200, { ...record, createdAt: [token] }),
  echo(200, `{"deviceTokens": ["${foreign}`),
  () =>
    new TypeError(`invalid header "ApiKey ${apiKey}"`, {
      cause: Object.assign(new Error(token), { code: "ECONNRESET" })
    })
]

const everythingOf = (value: unknown): ReadonlyArray<string> => [
  inspect(value, { depth: 20, showHidden: true }),
  JSON.stringify(value) ?? "",
  String(value),
  value instanceof Error ? `${value.stack} ${value.message} ${inspect(value.cause)}` : ""
]

describe("no output of the library contains a secret", () => {
  it.effect.each(answers.map((_, index) => index))("response %s", function* (index) {
    const seen: Array<string> = []
    const spans: Array<Tracer.Span> = []
    const tracer = Tracer.make({
      span: (options) => {
        const span = new Tracer.NativeSpan(options)
        spans.push(span)
        return span
      }
    })
    const registry: Metric.MetricRegistry = new Map()
    const respond = answers[index] ?? (() => Response.json(page()))
    const transport = makeTransport((_, number) => respond(number))
    const observed = Layer.mergeAll(
      clientLayer(transport, { headers: { "x-gateway": gateway } }),
      Logger.layer([
        Logger.make((options) => void seen.push(...everythingOf(options.message), Cause.pretty(options.cause)))
      ]),
      Layer.succeed(References.MinimumLogLevel, "All"),
      Layer.succeed(Tracer.Tracer, tracer),
      Layer.succeed(Metric.MetricRegistry, registry),
      Layer.succeed(Drift, { report: (report) => Effect.sync(() => void seen.push(...everythingOf(report))) }),
      Layer.succeed(CallObserver, {
        onAttempt: (...facts) => void seen.push(...everythingOf(facts)),
        onCall: ({ unreadable, ...call }) =>
          void seen.push(...everythingOf([call, unreadable.map(({ path, rule }) => [path, rule])]))
      }),
      RetryPolicy.layer(RetryPolicy.make({ baseDelay: 0, maxRetries: 1 }))
    )
    const upsert = Credentials.use((credentials) =>
      // Both fields at once are unusual, which is what makes the log line.
      credentials.upsert("user-7", { providerId: "fcm", credentials: { deviceTokens: [token], webhookUrl } as {} })
    )
    const calls = Effect.all([
      Effect.exit(upsert),
      Effect.exit(Effect.provideService(upsert, ResponsePolicy, "strict")),
      Effect.exit(
        Effect.provideService(
          upsert,
          IdempotencyPolicy.IdempotencyPolicy,
          IdempotencyPolicy.serviceHonoursKeys(IdempotencyPolicy.fixed("order-81"))
        )
      )
    ])
    const fiber = yield* fork(calls.pipe(Effect.provide(observed)))
    yield* TestClock.adjust("2 minutes")
    const exits = yield* Fiber.join(fiber)
    for (const exit of exits) {
      if (!Exit.isFailure(exit)) continue
      seen.push(Cause.pretty(exit.cause), ...everythingOf(exit.cause), ...everythingOf(Cause.squash(exit.cause)))
    }
    for (const span of spans) {
      seen.push(span.name, inspect([...span.attributes]), inspect(span, { depth: 8 }))
    }
    seen.push(inspect(registry, { depth: 8 }))
    assert.strictEqual(spans.length, 3)
    const everything = seen.join("\n")
    for (const secret of secrets) assert.notInclude(everything, secret)
  })
})

describe("a secret with special characters", () => {
  // Not about how long it takes: a search that starts anew at every character would not end within the time of a test.
  it.each(["\\", "%41", "%25", "&amp;", "&amp;amp;", "/", "\\u00e9", "aa%2F", "25"])(
    "is looked for in 250,000 characters of %s",
    (part) => {
      const secrets = [
        "////aa81////",
        "+=+=+=+=ab81",
        "a81/////////////////b",
        "\\\\\\\\aaaa",
        "&amp;&amp;x1",
        "%25%25%25%25"
      ]
      const text = `${part.repeat(Math.ceil(250_000 / part.length))} aa ab aaaa x1 a81 b ab81 `
      assert.strictEqual(makeSecretRemoval(secrets)(`${text}&amp;&amp;x1`).slice(-10), "<redacted>")
    }
  )
  it("is found where lines are folded in it, and other lines stay", () => {
    const remove = makeSecretRemoval([token])
    const [start, end] = [token.slice(0, 9), token.slice(9)]
    for (const fold of ["\n", "\r\n\t", "\\n", "\\\\r\\\\n", "\u00ad", "\u200b", "\u2060\u202e"]) {
      assert.strictEqual(remove(`sent ${start}${fold}${end} twice`), "sent <redacted> twice")
    }
    assert.strictEqual(remove("one\n two\\n three"), "one\n two\\n three")
  })
  it("is found as HTML inside of JSON or of a URL", () => {
    const html = (text: string) => text.replace(/[^a-z]/g, (found) => `&#${found.charCodeAt(0)};`)
    const secret = "device+token/47_a.b"
    const remove = makeSecretRemoval([secret])
    for (const seen of [
      html(secret).replaceAll("&", "\\u0026"),
      html(secret).replaceAll("&", "\\\\u0026"),
      encodeURIComponent(html(secret)),
      encodeURIComponent(encodeURIComponent(html(secret))),
      secret.replace("_", "&lowbar;").replace(".", "&amp;period;")
    ]) {
      assert.strictEqual(remove(`seen ${seen}.`), "seen <redacted>.")
      assert.strictEqual(remove(`${seen.slice(9)} \\u0026#43; %26lt%3B`), `${seen.slice(9)} \\u0026#43; %26lt%3B`)
    }
  })
  it("of which little remains without them is looked for verbatim", () => {
    assert.strictEqual(makeSecretRemoval(["++1++/=+"])("1 + 1, ++1++/=+"), "1 + 1, <redacted>")
  })
})

describe("the removal of a key from whole responses", () => {
  const key = "key-4711/+abc?>"
  const { body, exact: remove } = makeRedaction([key])
  it.effect.prop(
    "finds it in Base64 at any place of a longer string, in both alphabets",
    [Schema.String.check(Schema.isPattern(/^[ -~]{0,9}$/)), Schema.String.check(Schema.isPattern(/^[ -~]{0,9}$/))],
    ([before, after]) =>
      Effect.sync(() => {
        const encoded = btoa(before + key + after)
        for (const form of [encoded, encoded.replaceAll("+", "-").replaceAll("/", "_")]) {
          const removed = remove(`seen: ${form}.`)
          assert.include(removed, "<redacted>")
          // A character next to it contains some bits of it.
          assert.isAtMost(
            removed.length,
            "seen: <redacted>.".length + form.length - Math.floor((key.length * 4) / 3) + 1
          )
        }
      })
  )
  it("finds it where every character is escaped, and changes no other escape", () => {
    const text = `{"note":"${escapedWith("\\", key)}","quote":"\\u0022\\u005c\\u00e9"}`
    assert.deepStrictEqual(JSON.parse(remove(text)), { note: "<redacted>", quote: '"\\é' })
    const other = String.raw`{"note":"\\u0041 \u0042"}`
    assert.strictEqual(remove(other), other)
  })
  it("finds it where lines are folded in it, also in Base64", () => {
    const mail = btoa(`Basic of ${key}`).replace(/.{10}/g, "$&\r\n ")
    const text = JSON.stringify({ mail, note: `${key.slice(0, 6)}\n${key.slice(6)}`, other: "a" })
    assert.deepInclude(JSON.parse(remove(text)), { note: "<redacted>", other: "a" })
    assert.match(JSON.parse(remove(text)).mail, /<redacted>.?=*$/)
    assert.strictEqual(remove('{\n "a": "b\\nc"}'), '{\n "a": "b\\nc"}')
  })
  it("reads a body as JSON where it is JSON, and keeps lists", () => {
    assert.deepStrictEqual(body(JSON.stringify({ note: key, deviceTokens: ["a", "b"] })), {
      note: "<redacted>",
      deviceTokens: ["<redacted>", "<redacted>"]
    })
    assert.strictEqual(body(`{"note":"${key}","token":"a`), '{"note":"<redacted>","token":"<redacted>"')
  })
  it("keeps JSON valid, and words and numbers", () => {
    const text = JSON.stringify({ subscriber: 12345678, note: key, id: "subscriber" })
    assert.deepStrictEqual(JSON.parse(makeRedaction([key, "subscriber", "12345678"]).exact(text)), {
      subscriber: 12345678,
      note: "<redacted>",
      id: "subscriber"
    })
  })
})

describe("drift", () => {
  it.effect("has no secret as an unknown value", function* () {
    const channels = forms(apiKey).map((form) => ({
      providerId: `new-${form}`,
      _integrationId: "i",
      credentials: {}
    }))
    const values: Array<unknown> = []
    yield* Credentials.use((credentials) => credentials.upsert("user-7", { providerId: "fcm", credentials: {} })).pipe(
      Effect.provideService(Drift, { report: ({ entries }) => Effect.sync(() => void values.push(...entries)) }),
      Effect.provideService(CallObserver, { onCall: ({ drift }) => void values.push(...drift) }),
      Effect.provide(clientLayer(makeTransport(echo(200, { ...subscriber, channels }))))
    )
    const entries = channels.map((_, index) => ({
      kind: "unknown-enum-value",
      path: `channels[${index}].providerId`,
      value: "new-<redacted>"
    }))
    assert.deepStrictEqual(values, [...entries, ...entries])
  })
})

describe("a list of tokens", () => {
  it.effect("that its owner changes during the call is redacted as it was sent", function* () {
    const deviceTokens = [token]
    const transport = makeTransport(() => {
      deviceTokens.length = 0
      return echo(400, { message: `cannot use ${token}` })()
    })
    const error = yield* Credentials.use((credentials) =>
      credentials.upsert("user-7", { providerId: "fcm", credentials: { deviceTokens } })
    ).pipe(Effect.flip, Effect.provide(clientLayer(transport)))
    assert.include(error.message, "cannot use <redacted>")
    assert.notInclude(inspect(error, { depth: null, showHidden: true }), token)
  })
})

describe("headers of the connection", () => {
  const shown = Effect.fnUntraced(function* (headers: Record<string, string>, said: string) {
    const { reason } = yield* Credentials.use((credentials) =>
      credentials.upsert("user-7", { providerId: "fcm", credentials: {} })
    ).pipe(Effect.flip, Effect.provide(clientLayer(makeTransport(echo(400, { message: said })), { headers })))
    return reason._tag === "Rejected" ? [reason.message, reason.detail, reason.body].join(" ") : ""
  })
  for (const [name, value] of [
    ["x-team", "email"],
    ["x-kind", "data"],
    ["x-stage", "pre-prod"],
    ["x-on", "true"]
  ] as const) {
    it.effect(`${name}: ${value} is not a secret`, function* () {
      assert.include(
        yield* shown({ [name]: value }, `Invalid ${value} of subscriber`),
        `Invalid ${value} of subscriber`
      )
    })
  }
  for (const [name, value] of [
    ["x-api-key", "email"],
    ["Ocp-Apim-Subscription-Key", "data"],
    ["Proxy-Authorization", "Open sesame"],
    ["CF-Access-Client-Secret", "sesame"],
    ["cookie", "sesame"],
    ["x-gateway-pass", "sesame"],
    ["x-gateway", "sesame81"],
    ["x-gateway", "a1b2"],
    ["x-gateway", "open:sesame"],
    ["x-gateway", "opensesameplease"]
  ] as const) {
    it.effect(`${name}: ${value} is a secret`, function* () {
      const text = yield* shown({ [name]: value }, `Invalid ${value} of subscriber`)
      assert.include(text, "Invalid <redacted> of subscriber")
      assert.notInclude(text, value)
    })
  }
})

describe("redact", () => {
  for (const [name, value, expected] of [
    [
      "fields",
      { credentials: { deviceTokens: ["a"], webhookUrl: "b", channel: "c" } },
      { credentials: { deviceTokens: ["<redacted>"], webhookUrl: "<redacted>", channel: "c" } }
    ],
    ["an Authorization header", "authorization: ApiKey abc123", "authorization: ApiKey <redacted>"],
    ["an API key alone", "sent ApiKey abc123", "sent ApiKey <redacted>"],
    ["a bearer token alone", "sent Bearer abc123", "sent Bearer <redacted>"],
    ["a password alone", "sent Basic abc123", "sent Basic <redacted>"],
    ["a parameter alone", "sent token=abc123", "sent token=<redacted>"],
    ["a webhook URL", "at https://hooks.slack.com/services/T/B/x now", "at <redacted> now"],
    ["an Expo token", "ExponentPushToken[abc]", "<redacted>"],
    [
      "JSON in a string",
      '{"raw":"{\\"deviceTokens\\":[\\"a]b\\",\\"c\\"]}"}',
      '{"raw":"{\\"deviceTokens\\":\\"<redacted>\\"}"}'
    ],
    ["JSON that breaks off", '{"deviceTokens":["abc', '{"deviceTokens":"<redacted>"'],
    [
      "names in other spellings",
      { device_tokens: ["a"], "X-Api-Key": "b", access_token: "c" },
      { device_tokens: ["<redacted>"], "X-Api-Key": "<redacted>", access_token: "<redacted>" }
    ],
    [
      "an object, whose names can be secrets too",
      { deviceTokens: { abc: true }, password: [{ abc: 1 }] },
      { deviceTokens: "<redacted>", password: ["<redacted>"] }
    ],
    [
      "names that only look similar",
      { tokenCount: 3, keyboard: "x", signal: "y" },
      { tokenCount: 3, keyboard: "x", signal: "y" }
    ],
    ["a parameter", "at /v1?apiKey=abc&limit=5", "at /v1?apiKey=<redacted>&limit=5"],
    [
      "the signature of a Teams workflow",
      "https://prod.logic.test/run?sv=1.0&sig=a%2Fb-c_d",
      "https://prod.logic.test/run?sv=1.0&sig=<redacted>"
    ],
    [
      "the key and token of a Google Chat space",
      "https://chat.test/v1/spaces/A/messages?key=AIza1&token=xy_z",
      "https://chat.test/v1/spaces/A/messages?key=<redacted>&token=<redacted>"
    ],
    ["a percent-encoded webhook URL", "to=https%3A%2F%2Fhooks.slack.com%2Fservices%2FT0%2FB0 now", "to=<redacted> now"],
    ["a header in a string", "sent x-api-key: abc-123 to it", "sent x-api-key: <redacted> to it"],
    [
      "the token of a Telegram bot",
      `https://api.telegram.test/bot110201543:AA${"bC-d3".repeat(7)}/sendMessage`,
      "https://api.telegram.test/<redacted>/sendMessage"
    ],
    ["the token of a Telegram bot in a parameter", `to=110201543%253AAA${"bC_d3".repeat(7)} now`, "to=<redacted> now"],
    [
      "a webhook URL that was percent-encoded twice",
      "u=https%253A%252F%252Fhooks.slack.com%252FT0 now",
      "u=<redacted> now"
    ],
    ["a cookie in a string", "cookie: sid=a1b2; theme=dark", "cookie: <redacted>"],
    ["a long hexadecimal string", `at ${"0123456789abcdef".repeat(3)}!`, "at <redacted>!"],
    [
      "an identifier of the service",
      "65f0c0ffee65f0c0ffee65f0 and 0af7651916cd43dd8448eb211c80319c",
      "65f0c0ffee65f0c0ffee65f0 and 0af7651916cd43dd8448eb211c80319c"
    ],
    [
      "rules about settings",
      "apiKey: must not be empty. token: Expected string",
      "apiKey: must not be empty. token: Expected string"
    ],
    ["a bearer token", "sent Bearer abc.def-1_2~3+4/5= to it", "sent Bearer <redacted> to it"],
    ["a basic credential in a URL", "Basic%20YWJj&x=Basic+YWJj", "Basic <redacted>&x=Basic <redacted>"],
    ["a short word after a scheme", "Basic as if", "Basic as if"],
    ["a user in an address", "at https://ana:pw@service.test/a", "at https://<redacted>@service.test/a"],
    ["an address with a port", "at https://service.test:8080/a@b", "at https://service.test:8080/a@b"],
    ["an address inside JSON", '"https:\\/\\/hooks.test\\/a" and', '"<redacted>" and'],
    ["an address that is no hook", "https://service.test/a", "https://service.test/a"],
    ["a token of FCM", "to dGhpcy1pcy1p:APA91bHun4 now", "to <redacted> now"],
    ["39 hexadecimal digits", "a".repeat(39), "a".repeat(39)],
    ["40 hexadecimal digits", "A".repeat(40), "<redacted>"],
    ["a setting that is set", "set-cookie: a=b\nnext", "set-cookie: <redacted>\nnext"],
    ["a list in a message", "deviceTokens=['a', 'b'] refused", "deviceTokens=<redacted> refused"],
    [
      "a list of a form",
      "credentials[deviceTokens][]=one&a[token]=b",
      "credentials[deviceTokens][]=<redacted>&a[token]=<redacted>"
    ],
    ["an encoded list of a form", "a%5BdeviceTokens%5D%5B0%5D=one&b=c", "a%5BdeviceTokens%5D%5B0%5D=<redacted>&b=c"],
    ["a list after a header", "deviceTokens: ['a', 'b'] refused", "deviceTokens: <redacted> refused"],
    ["a long value of a header", "token: abcdefghijklmnop now", "token: <redacted> now"],
    ["a short word after a header", "token: abcdefghijklmno now", "token: abcdefghijklmno now"],
    ["an encoded parameter", "?token%3Dabc&limit=5", "?token%3D<redacted>&limit=5"],
    ["a longer name of a parameter", "?mytoken=abc&my-token=abc", "?mytoken=abc&my-token=abc"],
    ["an object under a secret name", '{"credential" : {"a":"b"}, "c":1}', '{"credential" : "<redacted>", "c":1}'],
    ["an empty list under a secret name", '{"deviceTokens":[ ],"c":1}', '{"deviceTokens":"<redacted>","c":1}'],
    ["quotes in a value", '{"token":"a\\"b","c":1}', '{"token":"<redacted>","c":1}'],
    ["other values", [1, null, true, "text"], [1, null, true, "text"]]
  ] as const) {
    it(name, () => {
      assert.deepStrictEqual(redact(value), expected)
      // It does not search strings of which it is certain.
      if (typeof value === "string") assert.strictEqual(makeRedaction([]).text(value), expected)
    })
  }
  it.each([
    "webhookUrl",
    "directWebhookUrl",
    "deviceToken",
    "deviceTokens",
    "token",
    "accessToken",
    "refreshToken",
    "apiKey",
    "xApiKey",
    "authorization",
    "proxyAuthorization",
    "password",
    "secret",
    "clientSecret",
    "credential",
    "cookie",
    "setCookie",
    "sig"
  ])("is known by the name %s, in every spelling and place", (name) => {
    const dashed = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    for (const spelled of [name, dashed, dashed.replaceAll("-", "_"), name.toUpperCase()]) {
      assert.isTrue(isSecretName(spelled), spelled)
      assert.notInclude(redactTextOf(`{"${spelled}":"hidden"}`, []), "hidden")
      assert.notInclude(redactTextOf(`${spelled}=hidden&a=b`, []), "hidden")
      assert.notInclude(redactTextOf(`${spelled}: hidden-7`, []), "hidden")
      assert.deepStrictEqual(redact({ [spelled]: "hidden", [`${spelled}x`]: "shown" }), {
        [spelled]: "<redacted>",
        [`${spelled}x`]: "shown"
      })
    }
    assert.isFalse(isSecretName(`${name}x`))
  })
  it.each(["a]b", 'ab"HIDDEN', "a\\", 'a\\"HIDDEN', '\\\\"\\HIDDEN', '\n"é'])(
    "is removed whole from JSON in JSON: %j",
    (secret) => {
      const shown = { deviceTokens: "<redacted>", note: 'a "b"\\', token: "<redacted>" }
      let json = JSON.stringify({ ...shown, deviceTokens: [secret, secret], token: secret })
      let expected = JSON.stringify(shown)
      for (let depth = 0; depth < 4; depth += 1) {
        assert.strictEqual(redact(json), expected)
        ;[json, expected] = [JSON.stringify(json), JSON.stringify(expected)]
      }
    }
  )
  it("is not shown in a string that is too long for regular expressions", () => {
    const long = `token=hidden-7 ${"x".repeat(6_000_000)}`
    assert.strictEqual(JSON.stringify(redact({ payload: long, name: "Ada" })), '{"payload":"<redacted>","name":"Ada"}')
  })
  it("is not lost in rings and depths", () => {
    const ring: Record<string, unknown> = {}
    ring["self"] = ring
    assert.deepStrictEqual(redact(ring), { self: "<circular>" })
    let deep: unknown = "end"
    for (let level = 0; level < 20_000; level++) deep = [deep]
    assert.isArray(redact(deep))
  })
})

describe("errors", () => {
  it.effect("come back from their data with every fact, without the secrets", function* () {
    const error = yield* Credentials.use((credentials) =>
      credentials.upsert("user-7", { providerId: "fcm", credentials: { deviceTokens: [token] } })
    ).pipe(Effect.flip, Effect.provide(clientLayer(makeTransport(echo(500, echoed)))))
    const json = JSON.stringify(ErrorData.encode(error))
    for (const secret of [apiKey, token]) assert.notInclude(json, secret)
    const back = ErrorData.from(JSON.parse(json))
    assert.instanceOf(back, UpsertCredentialsError)
    assert.deepStrictEqual(back.toJSON(), error.toJSON())
    assert.strictEqual(JSON.stringify(ErrorData.encode(back)), json)
    assert.isTrue(back.reason._tag === "ServerFailure" && back.reason.body !== undefined)
  })
})

describe("a short or plain key", () => {
  it("is removed where it stands alone, and leaves longer words", () => {
    assert.strictEqual(
      redactTextOf("the greatest test of tests, testing test", ["test"]),
      "the greatest <redacted> of tests, testing <redacted>"
    )
    assert.strictEqual(
      redactTextOf('{"key":"test","said":"a\\ntest"}', ["test"]),
      '{"key":"<redacted>","said":"a\\n<redacted>"}'
    )
    assert.strictEqual(redactTextOf("/a%20test?test=1", ["test"]), "/a%20<redacted>?<redacted>=1")
    assert.strictEqual(redactTextOf("passwords and password", ["password"]), "passwords and <redacted>")
  })
  it.effect("is accepted, and does not spoil the message of an error", function* () {
    const error = yield* Credentials.use((credentials) =>
      credentials.upsert("user-7", { providerId: "fcm", credentials: {} })
    ).pipe(
      Effect.flip,
      Effect.provide(clientLayer(makeTransport(echo(400, { message: "the greatest test" })), { apiKey: "test" }))
    )
    assert.include(error.message, "the greatest <redacted>")
  })
})

describe("the secrets of one call in a string", () => {
  const both = "at <redacted> and <redacted>"
  it("are removed whole where one is the beginning of another", () => {
    assert.strictEqual(redactTextOf("at token-one-more and token-one", ["token-one", "token-one-more"]), both)
    assert.strictEqual(redactTextOf("at token-one-more and token-one", ["token-one-more", "token-one"]), both)
  })
  it("are removed as JSON and as a part of a URL", () => {
    const secret = 'a/"quoted" secret'
    const text = `${JSON.stringify(secret)} ${encodeURIComponent(secret)} ${secret}`
    assert.strictEqual(redactTextOf(text, [secret]), '"<redacted>" <redacted> <redacted>')
  })
  it("are removed from lists and addresses, of whatever call", () => {
    assert.strictEqual(redact("Invalid deviceTokens=['one', 'two']"), "Invalid deviceTokens=<redacted>")
    assert.strictEqual(redact("device_tokens: ['one', 'two'] are wrong"), "device_tokens: <redacted> are wrong")
    assert.strictEqual(redact("at postgres://user:word@host/db"), "at postgres://<redacted>@host/db")
    assert.strictEqual(redact("at http://host:80/a@b"), "at http://host:80/a@b")
  })
  it("leave a string unchanged when they are too short to be secrets", () => {
    assert.strictEqual(redactTextOf("all is well", ["all", "", "wel"]), "all is well")
  })
  it("are removed from text whose other escapes stay", () => {
    const secret = "device+token"
    for (const text of ["100%70", "50%41 of a=%2Fb", "it&#39;s &#65;", String.raw`"\u0041:"`]) {
      assert.strictEqual(redactTextOf(text, [secret]), text)
      assert.strictEqual(makeRedaction(["key-4711-abc"], [secret]).text(text), text)
      assert.strictEqual(redactTextOf(`${secret} ${text}`, [secret]), `<redacted> ${text}`)
    }
    assert.strictEqual(redactTextOf("%42earer abc.def %41", []), "Bearer <redacted> A")
  })
  it("are removed where the service escapes what needs no escape", () => {
    const escaped = (text: string, only: RegExp) =>
      text.replace(only, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`)
    const secret = "device+token&more"
    for (const only of [/[+&]/g, /./g]) {
      assert.strictEqual(redactTextOf(`{"seen":"${escaped(secret, only)}"}`, [secret]), '{"seen":"<redacted>"}')
    }
  })
  // Not about how long it takes: a search that starts anew at every character would not end within the time of a test.
  it.each([
    ["one word", "a"],
    ["backslashes", "\\"],
    ["links", "https://"],
    ["dashes", "a-"],
    ["fields", '"token":"'],
    ["lists", '"token":['],
    ["quotes in quotes", '\\"'],
    ["beginnings of a title", "<title"]
  ])("are looked for in 250,000 characters of %s", (_, part) => {
    const text = part.repeat(Math.ceil(250_000 / part.length))
    assert.notInclude(redactTextOf(`${text} key-4711`, ["key-4711"]), "4711")
    assert.isDefined(readErrorBody(`<html>${text}`, []).detail)
  })
  it("may be what no URL can hold", () => {
    assert.strictEqual(redactTextOf("half of a pair: a\ud83d-secret", ["a\ud83d-secret"]), "half of a pair: <redacted>")
  })
})

describe("what redact goes through", () => {
  it("is lists too, and what is empty stays so", () => {
    assert.deepStrictEqual(redact({ lines: ["plain", "ApiKey abcdef", { apiKey: "abcdef" }] }), {
      lines: ["plain", "ApiKey <redacted>", { apiKey: "<redacted>" }]
    })
    assert.deepStrictEqual(redact({ token: null, password: undefined }), { token: null, password: undefined })
  })
})

describe("the headers of a connection", () => {
  it("are secrets under a telling name, and where they are no short plain words", () => {
    for (const name of ["x-auth", "X-Key", "token", "my-secret", "pass", "credentials", "cookie", "session", "sign"]) {
      assert.deepStrictEqual(secretsInHeaders({ [name]: "blue" }), ["blue"], name)
    }
    assert.deepStrictEqual(secretsInHeaders({ "x-team": "blue green-_", "x-id": "a1", "x-long": "a".repeat(16) }), [
      "a1",
      "a".repeat(16)
    ])
    assert.deepStrictEqual(secretsInHeaders({ "x-team": "a".repeat(15), "x-none": "" }), [""])
  })
})

describe("a secret that is like a word", () => {
  it.each([
    ["tests", "greatest tests, tests1 and a-tests.", "greatest <redacted>, tests1 and a-<redacted>."],
    ["my secret key", "not my secret keys but my secret key", "not my secret keys but <redacted>"],
    ["abc12345", "xabc12345x", "x<redacted>x"],
    ["abc1234", "xabc1234x abc1234", "xabc1234x <redacted>"],
    ["word", "\\nword %2Fword \\u00e9word nword", "\\n<redacted> %2F<redacted> \\u00e9<redacted> nword"],
    ["a.b+", "a.b+ axb+ a.b+c", "<redacted> axb+ a.b+c"],
    ["a/b+c==xyz", "a/b+c==xyz a%2Fb%2Bc%3D%3Dxyz a%2fb%2bc%3d%3dxyz", "<redacted> <redacted> <redacted>"],
    ['a"b/c-xyz', 'a\\"b/c-xyz a\\"b\\/c-xyz', "<redacted> <redacted>"],
    ["abc", "abc", "abc"],
    ["abcd", "abcd", "<redacted>"]
  ])("%s in %j", (secret, text, expected) => {
    assert.strictEqual(makeSecretRemoval([secret])(text), expected)
  })
})
