import { setFlagsFromString } from "node:v8"
import { redactTextOf } from "@signalbox/core/Redaction"
import type { CheckOptions } from "../check/CheckClient.ts"
import { CheckFailed } from "../check/CheckReport.ts"
import { createFake } from "../environment/Fake.ts"
import { checkCommand, listen, type ListenOptions, whenPackageManagerEnds } from "../server.ts"
import { type Arguments, listenError, readArguments } from "./Arguments.ts"
import { readCheckArguments } from "./CheckArguments.ts"
import { readRecordArguments, type RecordRequest } from "./RecordArguments.ts"
import { recordFrom, recordingIn, replay } from "./RecordCommand.ts"
import { driftFrom } from "../recording/RecordingDrift.ts"

// Journal entries outlive V8's young generation, which then grows to its maximum: 450 MB after 100,000 requests of 10 kB.
// These two flags keep the heap near its live size, 190 MB, for a quarter of the processor time of a request.
setFlagsFromString("--semi-space-growth-factor=1")
setFlagsFromString("--heap-growing-percent=20")

const messageOf = (error: unknown): string => redactTextOf(error instanceof Error ? error.message : String(error), [])

const fail = (error: unknown, exitCode: number): void => {
  process.stderr.write(`signalbox-fake: ${messageOf(error)}\n`)
  process.exitCode = exitCode
}

// Node would print the values that an error quotes.
const crash = (error: unknown): void => {
  process.stderr.write(`signalbox-fake: internal error: ${messageOf(error)}. Please report it.\n`)
  process.exit(1)
}
process.on("uncaughtException", crash)
process.on("unhandledRejection", crash)
// A program that has read the URL may close the pipe; others still use the server.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") crash(error)
})

/** Starts a server at a place, whose options are named where they are wrong. */
const started = <Server>(place: ListenOptions, server: Promise<Server>): Promise<Server> =>
  server.catch((error: unknown) => Promise.reject(listenError(place, error)))

/** Prints where a server is, and closes it on a signal. */
const serveUntilStopped = (close: () => Promise<void>, place: object, atEnd: () => void = () => {}): void => {
  // Timers of requests that a fault delays would keep the process running.
  const stop = () =>
    void close()
      .then(atEnd)
      .catch((error: unknown) => fail(error, 1))
      .then(() => process.exit())
  process.once("SIGINT", stop).once("SIGTERM", stop)
  whenPackageManagerEnds(stop)
  process.stdout.write(`${JSON.stringify(place)}\n`)
}

const serve = async ({ environment, ...options }: Arguments): Promise<void> => {
  const fake = createFake(environment)
  const { close, url } = await started(options, listen(fake, options))
  serveUntilStopped(close, { url, apiKey: fake.apiKey })
}

const check = async (command: ReadonlyArray<string>, options: CheckOptions): Promise<void> => {
  try {
    const { text } = await checkCommand(command, options)
    process.stdout.write(`${text}\n`)
  } catch (error) {
    if (!(error instanceof CheckFailed)) return fail(error, 2)
    process.stdout.write(`${error.message}\n`)
    process.exitCode = 1
  }
}

const record = async ({ out, place, upstream }: Extract<RecordRequest, { readonly _tag: "Record" }>): Promise<void> => {
  const { close, finish, url } = await started(
    place,
    recordFrom(upstream, out, place, (error) => fail(error, 1))
  )
  serveUntilStopped(close, { url }, () => {
    process.stderr.write(`signalbox-fake: wrote ${out} (exchanges: ${finish()})\n`)
  })
}

const serveRecording = async ({ file, place }: Extract<RecordRequest, { readonly _tag: "Replay" }>): Promise<void> => {
  const { close, url } = await started(place, replay(recordingIn(file), place))
  serveUntilStopped(close, { url })
}

const printDrift = async ({ expected, file }: Extract<RecordRequest, { readonly _tag: "Drift" }>): Promise<void> => {
  const { compared, lines } = await driftFrom(recordingIn(file), expected)
  process.stdout.write(`${lines.length === 0 ? `no difference (${compared})` : lines.join("\n")}\n`)
  if (lines.length > 0) process.exitCode = 1
}

const readers = { check: readCheckArguments, record: readRecordArguments }

const run = async (words: ReadonlyArray<string>): Promise<void> => {
  const [command = ""] = words
  const request = command === "check" || command === "record" ? readers[command](words.slice(1)) : readArguments(words)
  switch (request._tag) {
    case "Print":
      return void process.stdout.write(request.text)
    case "Serve":
      return serve(request.arguments)
    case "Check":
      return check(request.command, request.options)
    case "Record":
      return record(request)
    case "Replay":
      return serveRecording(request)
    case "Drift":
      return printDrift(request)
  }
}

// A mistake in the words, or in the files that they name, is a RangeError.
run(process.argv.slice(2)).catch((error: unknown) => fail(error, error instanceof RangeError ? 2 : 1))
