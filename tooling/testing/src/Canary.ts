/**
 * One record and one error in which every field is a distinct secret, personal datum or control sequence: tests send it
 * through each exit of a program and look for what passed.
 */
import { once } from "node:events"
import { createServer, type IncomingMessage } from "node:http"
import { listenOnLoopback } from "./Loopback.ts"

/** The API key of requests. */
export const canaryKey = "key-4711-canary+of/k"

const encoded = (text: string): string =>
  Array.from(text, (character) => `%${character.charCodeAt(0).toString(16)}`).join("")

/** Secrets, each with a different word that must not appear. */
const secrets = {
  hook: "https://hooks.slack.com/services/T0/B0/SECRETHOOK",
  bearer: "Bearer SECRETBEARER",
  deviceToken: "tok-SECRETTOKEN-1",
  namedToken: "token=SECRETNAMED-77",
  expo: "ExponentPushToken[SECRETEXPO]",
  password: "https://ada:SECRETPASSWORD@mail.example.test/x"
}

/** The key as a service could send it back. */
const keyForms = [
  canaryKey,
  encodeURIComponent(canaryKey),
  encoded(canaryKey),
  canaryKey.replace("k", "&#107;"),
  btoa(canaryKey)
]

const personal = {
  email: "ada.canary@example.test",
  phone: "+49 170 5550199",
  firstName: "Adacanary",
  lastName: "Lovecanary",
  diagnosis: "asthmacanary"
}

const escapes = {
  clipboard: "\u001B]52;c;Y2FuYXJ5\u0007",
  erase: "\u001B[2J",
  c1: "\u009B31m",
  reversed: "\u202Egnp",
  invisible: "\u200B\u2060",
  tags: String.fromCodePoint(0xe0049, 0xe0067, 0xe006e)
}

const id = (number: number): string => number.toString(16).padStart(24, "0")

const detail = (number: number, text: string, raw: unknown) => ({
  _id: id(number),
  status: "Failed",
  detail: text,
  source: `Internal ${escapes.c1}`,
  isRetry: false,
  isTest: false,
  createdAt: "2026-11-21T11:30:01.000Z",
  raw: JSON.stringify(raw)
})

/** An event with canaries in every field that strangers can fill. */
export const canaryEvent = {
  _id: id(1),
  _environmentId: id(2),
  _organizationId: id(3),
  _subscriberId: id(4),
  transactionId: "txn_canary",
  createdAt: "2026-11-21T11:30:00.000Z",
  channels: ["push"],
  template: {
    _id: id(5),
    name: `Order ${secrets.namedToken} ${escapes.clipboard}${escapes.c1}${escapes.reversed}${escapes.tags}`,
    triggers: []
  },
  subscriber: {
    _id: id(4),
    subscriberId: `user_7${escapes.invisible}`,
    firstName: personal.firstName,
    lastName: personal.lastName,
    email: personal.email,
    phone: personal.phone
  },
  payload: {
    slackHook: secrets.hook,
    auth: secrets.bearer,
    deviceTokens: [secrets.deviceToken],
    note: `${personal.diagnosis} ${escapes.erase} ${keyForms.join(" ")}`
  },
  jobs: [
    {
      _id: id(6),
      type: `push${escapes.reversed}`,
      status: "failed",
      providerId: "fcm",
      payload: {},
      overrides: {},
      step: { _id: id(7), active: true, _templateId: id(5), filters: [], metadata: { timed: {} }, variants: [] },
      executionDetails: [
        detail(8, `Rejected ${secrets.expo} of ${personal.email} ${escapes.clipboard}`, {
          message: secrets.password,
          key: keyForms.join(" ")
        })
      ]
    }
  ]
}

/** The body of an error, with the same. A device token is recognized by its name only. */
export const canaryError = {
  statusCode: 400,
  message: `invalid ${keyForms.join(" ")} ${Object.values({ ...secrets, deviceToken: `deviceTokens=['${secrets.deviceToken}']` }).join(" ")} ${Object.values(escapes).join(" ")}`,
  errors: { [secrets.namedToken]: { messages: [`${secrets.hook} ${escapes.erase}`] } }
}

/** One line with secrets and control sequences, as a program could print it. */
export const canaryLine = `locked: ${secrets.bearer} ${secrets.hook} ${Object.values(escapes).join(" ")}`

/** The canaries in a string. */
export interface Found {
  readonly secrets: ReadonlyArray<string>
  readonly personal: ReadonlyArray<string>
  readonly escapes: ReadonlyArray<string>
}

const namesIn = (text: string, canaries: Readonly<Record<string, string>>): ReadonlyArray<string> =>
  Object.entries(canaries).flatMap(([name, canary]) => (text.includes(canary) ? [name] : []))

const words = (canaries: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(canaries).map(([name, text]) => [name, /SECRET[A-Z]+/u.exec(text)?.[0] ?? text]))

/** The canaries in what left a program. */
export const canariesIn = (text: string): Found => ({
  secrets: [
    ...namesIn(text, words(secrets)),
    ...keyForms.flatMap((form, at) => (text.includes(form) ? [`key in form ${at}`] : []))
  ],
  personal: namesIn(text, personal),
  escapes: namesIn(text, {
    ...escapes,
    "any escape": "\u001B",
    "any C1": "\u009B",
    "any override": "\u202E",
    "any invisible": "\u200B",
    "any tag": String.fromCodePoint(0xe0049)
  })
})

/** Whether a service fails every request, or returns the event. */
export type CanaryService = "events" | "errors"

/** The canaries that may leave by an exit. */
export type Allowed = ReadonlyArray<keyof Found>

/** The canaries in what left that may not leave. */
export const escapedFrom = (text: string, may: Allowed): ReadonlyArray<string> =>
  Object.entries(canariesIn(text)).flatMap(([kind, found]) => (may.some((name) => name === kind) ? [] : found))

/** The same without what needs the key of the canaries: for services that choose their keys. */
export const otherSecretsFrom = (text: string): ReadonlyArray<string> =>
  canariesIn(text).secrets.filter((name) => !name.startsWith("key in form"))

/** A service that sends canaries; every request and response also has them in its headers. */
export const serveCanaries = async (kind: CanaryService, count = 1) => {
  const data = Array.from({ length: count }, (_, at) => ({ ...canaryEvent, _id: id(1000 + at) }))
  const requests: Array<Pick<IncomingMessage, "method" | "url">> = []
  const server = createServer((request, response) => {
    requests.push({ method: request.method, url: request.url })
    response.writeHead(kind === "errors" ? 400 : 200, {
      "content-type": "application/json",
      "x-request-id": `for-${encoded(canaryKey)}`
    })
    response.end(JSON.stringify(kind === "errors" ? canaryError : { page: 0, pageSize: 50, hasMore: false, data }))
  })
  const port = await listenOnLoopback(server)
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, "close")
    }
  }
}
