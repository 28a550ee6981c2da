/**
 * Does an export: walks over the event listing, appends each page to the output, then records it in the journal.
 */
import { redact } from "@signalbox/core/Redaction"
import { largestPage } from "@signalbox/core/Operations"
import type { ActivityNotification } from "@signalbox/core/Records"
import { type EventFilters, Events } from "@signalbox/core/Events"
import * as EventWalk from "@signalbox/core/EventWalk"
import { type CommonReason, remedyOf } from "@signalbox/core/Errors"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { type AppendFile, Disk, type Files } from "../file/Disk.ts"
import { fileLines } from "../file/FileLines.ts"
import { fileError } from "../file/SystemError.ts"
import type { Journal } from "../journal/Journal.ts"
import { type ExportHeader, otherEnvironment } from "../journal/JournalRecord.ts"
import { type Recovered, rememberedEvents } from "../journal/Recovery.ts"
import { type FileError, type JournalError, RunStopped } from "../RunError.ts"
import type { RunMonitor } from "./LineRun.ts"
import { otherEnvironmentMessage } from "./Environment.ts"
import { makeRunCalls } from "./RunCalls.ts"

/** An export whose journal is open. */
export interface OpenExport {
  readonly header: ExportHeader
  /** Path of the output. */
  readonly output: string
  readonly recovered: Recovered
  readonly journal: Journal
}

const unusable = (file: string) => fileError("write", file, ". Resume the run when this is fixed")

const passing = new Set(["RateLimited", "TransportFailure", "Timeout", "ServerFailure"])

/** Whether a call can succeed later although nobody changes anything. */
const mayPass = ({ _tag, message }: CommonReason): boolean => passing.has(_tag) && remedyOf(message) === undefined

const openOutput = Effect.fnUntraced(function* (
  output: string,
  bytes: number
): Effect.fn.Return<AppendFile, FileError, Scope.Scope> {
  const disk = yield* Disk
  const file = yield* Effect.acquireRelease(
    Effect.tryPromise({ try: () => disk.open(output), catch: unusable(output) }),
    (opened) => Effect.promise(() => opened.close().catch(() => {}))
  )
  // A process that ended before it could record the page wrote the bytes after these.
  yield* Effect.tryPromise({ try: () => file.truncate(bytes), catch: unusable(output) })
  return file
})

/** Adds the ids of events that were written, and forgets the oldest ones. */
const remember = (ids: Set<string>, events: ReadonlyArray<ActivityNotification>): void => {
  for (const { _id } of events) if (_id !== undefined) ids.add(_id)
  for (const oldest of ids) {
    if (ids.size <= rememberedEvents) return
    ids.delete(oldest)
  }
}

/** The ids of the events in the output from an offset on. */
const idsFrom = async (disk: Files, output: string, from: number): Promise<Set<string>> => {
  const ids = new Set<string>()
  for await (const lines of fileLines(disk, output, from)) {
    const events = lines.map(({ bytes }): ActivityNotification => JSON.parse(bytes.toString()))
    remember(ids, events)
  }
  return ids
}

/** Writes all events that are not in the output yet. Interruption lets the page in progress be recorded. */
export const doExport = (
  { header, journal, output, recovered }: OpenExport,
  monitor: RunMonitor
): Effect.Effect<void, FileError | JournalError | RunStopped, Events> =>
  Effect.scoped(
    Effect.gen(function* () {
      const events = yield* Events
      const disk = yield* Disk
      const calls = yield* makeRunCalls(1)
      const { rememberedFrom } = recovered.pages
      let { bytes, cursor, events: written } = recovered.pages
      const progress = { isLast: recovered.pages.isLast }
      const file = yield* openOutput(output, bytes)
      const writtenIds = yield* Effect.tryPromise({
        try: () => idsFrom(disk, output, rememberedFrom),
        catch: unusable(output)
      })

      monitor.progress = () => ({
        waiting: calls.waiting(),
        counts: { succeeded: written, failed: 0, unknown: 0, invalid: 0 }
      })

      let { environment } = recovered
      const save = Effect.fnUntraced(function* (page: ReadonlyArray<ActivityNotification>, next: string | undefined) {
        const found = page[0]?._environmentId
        if (environment !== undefined && found !== undefined && found !== environment) {
          const message = `${otherEnvironmentMessage(environment, found)}. Use a key of ${environment}`
          return yield* new RunStopped({ message, id: header.id, reason: otherEnvironment })
        }
        if (environment === undefined && found !== undefined) {
          environment = found
          yield* journal.append({ type: "environment", id: found })
        }
        const fresh = page.filter(({ _id }) => _id === undefined || !writtenIds.has(_id))
        const shown = header.withSecrets === true ? fresh : fresh.map((event) => redact(event))
        const text = Buffer.from(shown.map((event) => `${JSON.stringify(event)}\n`).join(""))
        yield* journal.verify
        yield* Effect.tryPromise({
          try: () => file.write(text, bytes).then(() => file.sync()),
          catch: unusable(output)
        })
        yield* journal.append({
          type: "page",
          events: fresh.length,
          from: bytes,
          to: bytes + text.length,
          cursor: next
        })
        yield* journal.commit
        bytes += text.length
        written += fresh.length
        cursor = next
        progress.isLast = next === undefined
        remember(writtenIds, fresh)
      })

      const walk = Effect.scoped(
        Effect.gen(function* () {
          const walked = yield* EventWalk.make(
            events,
            cursor === undefined ? { limit: largestPage, ...(header.filters as EventFilters) } : {}, // checked by the first call
            { cursor }
          )
          while (!progress.isLast) {
            const page = yield* calls.make(walked.next)
            if (page === undefined) return
            yield* Effect.uninterruptible(save(page.data, page.cursor))
          }
        })
      )

      while (!progress.isLast) {
        const error = yield* Effect.match(walk, { onSuccess: () => undefined, onFailure: (failure) => failure })
        // An export is interrupted, never stopped.
        if (error === undefined || error._tag === "NotSent") return
        if (error._tag !== "ListEventsError") return yield* error
        const { reason } = error
        const hint = "retryAfterMs" in reason ? reason.retryAfterMs : undefined
        if (!mayPass(reason) || calls.failed(reason._tag, hint)) {
          return yield* new RunStopped({
            message: `${error.message} The run stopped; resume it afterwards`,
            id: header.id,
            reason: reason._tag
          })
        }
        yield* calls.waitForService
      }
    })
  )
