import { isIP } from "node:net"
import { connect } from "node:tls"
import { urlToHttpOptions } from "node:url"
import { type CallInfo, withInfo } from "@signalbox/core/CallInfo"
import type { EventPage } from "@signalbox/core/Records"
import { Events } from "@signalbox/core/Events"
import type { ListEventsError } from "@signalbox/core/Errors"
import { neutral } from "@signalbox/core/Vendor"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { chooseConnection, type Connection, withDifferences } from "../../connection/Connection.ts"
import { type Differences, isOfVendor, listOf, removeOfVendor } from "../../connection/Difference.ts"
import { offerVendor } from "../../connection/OfferVendor.ts"
import { knownDifferences, rememberDifferences } from "../../connection/ReportDifferences.ts"
import { findVendor } from "../../connection/VendorSearch.ts"
import { checkFailed, Unsuccessful, usage, type UsageError } from "../../failure/CommandError.ts"
import { adviceOf, failureOf } from "../../failure/Failure.ts"
import type { Listing, Tone } from "../../output/Listing.ts"
import { openOutput } from "../../output/Output.ts"
import { Process } from "../../process/Process.ts"
import * as Checks from "./Checks.ts"
import type { DoctorInput } from "./Doctor.ts"

const toneOf: Readonly<Record<Checks.CheckResult, Tone>> = {
  ok: "good",
  warning: "warning",
  failed: "bad",
  skipped: "quiet"
}

/** How checks are printed. */
export const checkListing: Listing<Checks.Check> = {
  fields: {
    check: { isShort: true },
    result: { tone: ({ result }) => toneOf[result], isShort: true },
    evidence: {},
    advice: {}
  },
  columns: ["check", "result", "evidence", "advice"]
}

const handshakeTimeoutMs = 10_000

/** Shakes hands without checking, so that a bad certificate can be described. */
const handshake = (url: URL) =>
  Effect.callback<Checks.TlsObservation, Error>((resume) => {
    // An IPv6 address without its brackets.
    const host = urlToHttpOptions(url).hostname ?? ""
    const socket = connect(
      {
        host,
        port: Number(url.port || 443),
        // Node warns where it is an IP address.
        servername: isIP(host) === 0 ? host : "",
        rejectUnauthorized: false
      },
      () => {
        resume(
          Effect.succeed({
            protocol: socket.getProtocol() ?? "unknown protocol",
            authorized: socket.authorized,
            problem: String(socket.authorizationError ?? ""),
            expiresAt: Date.parse(socket.getPeerCertificate().valid_to)
          })
        )
        socket.end()
      }
    )
    socket.once("error", (error) => resume(Effect.fail(error)))
    return Effect.sync(() => socket.destroy())
  }).pipe(Effect.timeout(handshakeTimeoutMs))

const examineTls = Effect.fnUntraced(function* (baseUrl: string) {
  const url = new URL(baseUrl)
  if (url.protocol !== "https:") return Checks.skipped("tls", "the address is not https")
  const outcome = yield* Effect.result(handshake(url))
  return Result.isSuccess(outcome)
    ? Checks.checkTls(outcome.success, yield* Clock.currentTimeMillis)
    : Checks.failed("tls", `no TLS connection (${outcome.failure.message})`, "Check the address and the network.")
})

interface Listed {
  readonly page: EventPage
  readonly call: CallInfo
  readonly middle: number
}

const list = Effect.fnUntraced(function* (limit: number, page = 0) {
  const before = yield* Clock.currentTimeMillis
  const { call, value } = yield* withInfo(
    Events.use((events) => events.list({ limit, ...(page === 0 ? {} : { page }) }))
  )
  const after = yield* Clock.currentTimeMillis
  const listed: Listed = { page: value, call, middle: (before + after) / 2 }
  return listed
})

const pagingSize = 5

const latencyCalls = 10

/** The checks that need responses. */
const examineResponses = Effect.fnUntraced(function* (
  body: () => string,
  connection: Connection,
  differences: Differences,
  baseUrl: string
) {
  const { environment } = yield* Process
  const large = yield* list(50)
  const envelope = Checks.checkEnvelope(body())
  const first = yield* list(pagingSize)
  const second = yield* list(pagingSize, 1)
  const durations: Array<number> = []
  // Each call reports a limited number of differences: small pages of other events show more.
  for (let page = 0; page < latencyCalls; page += 1) durations.push((yield* list(1, page)).call.durationMs)
  const { data } = large.page
  const vendor = connection.vendor === undefined ? findVendor(data) : undefined
  // Commands before the vendor was set have reported its values.
  const name = vendor?.vendor ?? connection.vendor ?? neutral
  const known = (yield* knownDifferences(connection)).filter((difference) => !isOfVendor(difference, name))
  if (vendor !== undefined) removeOfVendor(differences, vendor.vendor)
  const checks = [
    { check: "key", result: "ok", evidence: "accepted", advice: "" },
    Checks.checkProxy(environment, large.call.headers, baseUrl),
    Checks.checkClock(first.call.headers["date"], first.middle),
    Checks.checkRateLimit(first.call),
    envelope,
    Checks.checkPaging(first.page.data, second.page.data, pagingSize),
    Checks.checkVendor(connection, data, vendor),
    Checks.checkDrift(listOf(differences), known, data.length),
    Checks.checkLatency(durations),
    ...Checks.listDifferences(differences, known)
  ] satisfies ReadonlyArray<Checks.Check>
  return { checks, vendor, exitCode: undefined }
})

const notRun = ["clock", "rate limit", "envelope", "paging", "vendor", "drift", "latency"]

const failedCall = (error: ListEventsError, proxy: Checks.Check): ReadonlyArray<Checks.Check> => {
  const { reason } = error
  const isKey = reason._tag === "Unauthorized" || reason._tag === "Forbidden"
  return [
    Checks.failed(isKey ? "key" : "service", reason.message, adviceOf(error)),
    proxy,
    ...notRun.map((check) => Checks.skipped(check, "no response to check"))
  ]
}

/** Without `--calibrate`, its flags are usage errors. */
const refuseCalibrationFlags = ({
  messages,
  output,
  save,
  subscriber
}: DoctorInput): Effect.Effect<void, UsageError> => {
  const given = {
    "--subscriber": Option.isSome(subscriber),
    "--message": messages.length > 0,
    "--output": Option.isSome(output),
    "--save": save
  }
  const [flag] = Object.entries(given).find(([, isGiven]) => isGiven) ?? []
  return flag === undefined ? Effect.void : usage(`${flag} needs --calibrate; without it, doctor writes nothing`)
}

/** Examines a deployment and prints one line per check. */
export const examine = Effect.fnUntraced(function* (input: DoctorInput) {
  yield* refuseCalibrationFlags(input)
  const output = yield* openOutput(checkListing, input)
  const connection = yield* chooseConnection(input)
  const settings = yield* connection.settings
  const { environment } = yield* Process
  let newest = ""
  const tls =
    connection.kind === "demo"
      ? Checks.skipped("tls", "the demo needs no network")
      : yield* examineTls(settings.baseUrl)
  const differences: Differences = new Map()
  const responses = yield* examineResponses(() => newest, connection, differences, settings.baseUrl).pipe(
    Effect.catchTag("ListEventsError", (error) =>
      Effect.succeed({
        // Behind a proxy that is not used, a call fails without a response.
        checks: failedCall(error, Checks.checkProxy(environment, {}, settings.baseUrl)),
        vendor: undefined,
        exitCode: failureOf(error).exitCode
      })
    ),
    withDifferences({ ...connection, onBody: (body) => (newest = body) }, differences)
  )
  const checks: ReadonlyArray<Checks.Check> = [
    connection.kind === "demo"
      ? Checks.skipped("address", "the demo needs no network")
      : Checks.checkAddress(settings.baseUrl),
    tls,
    ...responses.checks
  ]
  yield* output.rows(checks)
  yield* rememberDifferences(connection, listOf(differences)).pipe(
    Effect.catch(({ message }) => output.note(`signalbox: ${message}`))
  )
  if (responses.vendor !== undefined) yield* offerVendor(connection, responses.vendor, input.yes)
  const isBad = checks.some(({ result }) => result === "failed")
  if (responses.exitCode !== undefined) return yield* new Unsuccessful({ exitCode: responses.exitCode })
  if (isBad) return yield* checkFailed("doctor")
})
