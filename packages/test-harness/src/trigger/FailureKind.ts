import type { MessageDraft, StepRecord } from "../state/Records.ts"
import { type Line, line } from "./ServiceDetail.ts"

/** How a provider rejects a message: the status and message of its API, and the error of an SMTP server. */
export interface Rejection {
  /** Absent if the provider does not respond. */
  readonly status?: number
  readonly title: string
  readonly message: string
  /** The message of an SMS provider, where it differs. */
  readonly sms?: (phone: string) => string
  /** Body of a chat provider's response. */
  readonly responseData?: string
  readonly smtp: (address: string) => object
  readonly recovers?: boolean
}

const smtpError = (code: string, response: string, command: string) => (): object => ({
  code,
  response,
  responseCode: Number(response.slice(0, 3)),
  command
})

const smtpRejected = (response: string) => (recipient: string) => {
  const error = { code: "EENVELOPE", response, responseCode: Number(response.slice(0, 3)), command: "RCPT TO" }
  return { ...error, rejected: [recipient], rejectedErrors: [{ ...error, recipient }] }
}

const smtpRefused = (): object => ({
  errno: -111,
  code: "ESOCKET",
  syscall: "connect",
  address: "192.0.2.25",
  port: 587,
  command: "CONN"
})

const smtpBusy = smtpError("EENVELOPE", "421 4.7.0 Too many connections, try again later", "MAIL FROM")

const rejections = {
  "provider-unauthorized": {
    status: 401,
    title: "Unauthorized",
    message: "The provided authorization grant is invalid, expired, or revoked",
    smtp: smtpError("EAUTH", "535 5.7.8 Error: authentication failed", "AUTH PLAIN")
  },
  "provider-forbidden": {
    status: 403,
    title: "Forbidden",
    message:
      "The from address does not match a verified Sender Identity. Mail cannot be sent until this error is resolved.",
    smtp: smtpError("EENVELOPE", "553 5.7.1 Sender address rejected: not owned by user", "MAIL FROM")
  },
  "provider-limit": {
    status: 401,
    title: "Unauthorized",
    message: "Maximum credits exceeded",
    sms: () => "Account exceeded the 1000 daily messages limit",
    smtp: smtpError("EENVELOPE", "452 4.5.3 Daily sending quota exceeded", "MAIL FROM")
  },
  "provider-outage": {
    status: 503,
    title: "Service Unavailable",
    message: "Service Unavailable",
    smtp: smtpRefused
  },
  "provider-outage-recovered": {
    status: 502,
    title: "Bad Gateway",
    message: "Bad Gateway",
    smtp: smtpRefused,
    recovers: true
  },
  "provider-unreachable": {
    title: "Error",
    message: "socket hang up",
    smtp: () => ({ code: "ETIMEDOUT", command: "CONN" })
  },
  "rate-limited-recovered": {
    status: 429,
    title: "Too Many Requests",
    message: "Too Many Requests",
    smtp: smtpBusy,
    recovers: true
  },
  "recipient-rejected": {
    status: 400,
    title: "Bad Request",
    message: "Does not contain a valid address.",
    sms: (phone) => `Invalid 'To' Phone Number: ${phone}`,
    responseData: "channel_not_found",
    smtp: smtpRejected("550 5.1.1 The email account that you tried to reach does not exist")
  },
  "token-unregistered": {
    status: 404,
    title: "Not Found",
    message: "Requested entity was not found.",
    smtp: smtpRejected("550 5.1.1 The email account that you tried to reach does not exist")
  },
  "webhook-gone": {
    status: 404,
    title: "Not Found",
    message: "Requested entity was not found.",
    responseData: "no_service",
    smtp: smtpRefused
  }
} as const satisfies Readonly<Record<string, Rejection>>

/** How a step ends before it creates a message. */
export interface Ending {
  readonly lines: ReadonlyArray<Line>
  readonly outcome: "failed" | "canceled"
}

type StepType = StepRecord["type"]

const failing = (...lines: ReadonlyArray<Line>): Ending => ({ lines, outcome: "failed" })

const endings = {
  "content-not-generated": () => failing(line("contentError", { message: "Variable payload.order.total is missing" })),
  "bridge-failed": () =>
    failing(
      line("bridgeError", {
        message: "The bridge endpoint did not respond",
        code: "BRIDGE_ENDPOINT_NOT_AVAILABLE",
        statusCode: 504
      })
    ),
  "endpoint-failed": () => failing(line("endpointError", { error: "Response code 500 (Internal Server Error)" })),
  "no-active-integration": (type) =>
    type === "chat"
      ? failing(line("noIntegration"), line("chatFailed"))
      : type === "push"
        ? failing(line("noIntegration"), line("pushFailed"))
        : failing(line("noIntegration")),
  "preference-off": (type) => ({
    lines: [
      line("preferenceOff", {
        enabled: true,
        channels: { [type]: false },
        overrides: [{ channel: type, source: "subscriber" }]
      })
    ],
    outcome: "canceled"
  })
} as const satisfies Readonly<Record<string, (type: StepType) => Ending>>

export type FailureKind = keyof typeof rejections | keyof typeof endings

const isRejection = (kind: FailureKind): kind is keyof typeof rejections => Object.hasOwn(rejections, kind)

export const failureKinds: ReadonlyArray<FailureKind> = [
  ...(Object.keys(rejections) as ReadonlyArray<keyof typeof rejections>), // keys of a literal
  ...(Object.keys(endings) as ReadonlyArray<keyof typeof endings>) // keys of a literal
]

/** How the provider rejects the message of a step; `undefined` where it does not come to that. */
export const rejectionOf = (kind: FailureKind): Rejection | undefined =>
  isRejection(kind) ? rejections[kind] : undefined

/** How a step ends before it creates a message; `undefined` where it creates one. */
export const endingOf = (kind: FailureKind, type: StepType): Ending | undefined =>
  isRejection(kind) ? undefined : endings[kind](type)

/** The error that the service writes about a rejection, in the form of the provider's client. */
export const rawOf = (rejection: Rejection, draft: MessageDraft): object => {
  const { message, responseData, sms, smtp, status, title } = rejection
  if (draft.providerId === "nodemailer") return smtp(draft.email ?? "")
  switch (draft.channel) {
    case "email":
      return status === undefined
        ? { message, code: "ECONNRESET" }
        : {
            message: title,
            code: status,
            response: {
              headers: { "content-type": "application/json" },
              body: { errors: [{ message, field: null, help: null }] }
            }
          }
    case "chat":
      return {
        channelData: { identifier: "-", type: "webhook", endpoint: { url: draft.directWebhookUrl } },
        ...(status === undefined
          ? { message }
          : { message: `Request failed with status code ${status}`, responseData: responseData ?? message })
      }
    case "push": {
      const [token] = draft.deviceTokens ?? []
      if (draft.providerId === "expo" && title === "Not Found") {
        return { message: `"${token}" is not a registered push notification recipient`, name: "Error" }
      }
      if (draft.providerId === "fcm") return { message: `Sending message failed due to "${message}"`, name: "Error" }
      return { message: title === "Not Found" ? "Unregistered" : message, name: "Error" }
    }
    default:
      return { message: sms?.(draft.phone ?? "") ?? message, name: "Error" }
  }
}

/** The failure that a trigger requested for a step, by its name or else by its type. */
export const plannedFor = (
  failures: Readonly<Record<string, string>> | undefined,
  { name, type }: Pick<StepRecord, "name" | "type">
): FailureKind | undefined => {
  const planned = failures?.[name] ?? failures?.[type]
  return failureKinds.find((kind) => kind === planned)
}
