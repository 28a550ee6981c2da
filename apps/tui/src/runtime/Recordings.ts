import { messageOf } from "@signalbox/operator/text/SystemReason"
import * as Effect from "effect/Effect"
import { type Exchange, formatExchange, formatStart } from "../recording/Recording.ts"
import type { CommandOf } from "../state/Command.ts"
import { masked } from "../state/Masking.ts"
import type { Msg } from "../state/Msg.ts"
import type { Host, NewFile } from "./Host.ts"
import type { Session } from "./Session.ts"

/** How large a recording becomes: the pages of 50,000 events. */
const defaultMaxBytes = 256_000_000

/** Starts and ends recordings of a session. */
export interface Recordings {
  readonly start: (session: Session, command: CommandOf<"StartRecording">) => Promise<void>
  /** Ends the recording, if there is one; `why` is absent where the operator asked for it. */
  readonly stop: (why?: string) => Promise<void>
}

interface RecordingsOptions {
  readonly dispatch: (message: Msg) => void
  readonly host: Pick<Host, "create">
  readonly now: () => number
  readonly isMasked: () => boolean
  /** How large a file becomes; 256 MB when absent. */
  readonly maxBytes?: number
}

/** Makes what records. Each exchange is in the file before its response is shown. */
export const makeRecordings = (options: RecordingsOptions): Recordings => {
  const { dispatch, host, isMasked, maxBytes = defaultMaxBytes, now } = options
  let end: ((why?: string) => Promise<void>) | undefined
  let isOpening = false

  /** Writes exchanges one after another, and ends the recording where that fails or the file is full. */
  const record = (session: Session, file: NewFile, startedAt: number, headBytes: number): void => {
    let written: Promise<void> = Promise.resolve()
    let exchanges = 0
    let bytes = headBytes
    const stop = async (why?: string) => {
      if (end !== stop) return
      end = undefined
      session.recorder?.stop()
      await written
      await file.close(true).catch(() => {})
      dispatch({ _tag: "RecordingEnded", path: file.path, exchanges, ...(why === undefined ? {} : { why }) })
    }
    end = stop
    const write = async (exchange: Exchange) => {
      if (end !== stop) return
      const line = formatExchange(exchange)
      const size = Buffer.byteLength(line)
      if (bytes + size > maxBytes) return void stop(`${maxBytes / 1_000_000} MB are written, the limit`)
      try {
        await file.append(line)
        bytes += size
        exchanges += 1
        dispatch({ _tag: "RecordingGrew", exchanges })
      } catch (problem) {
        void stop(messageOf(problem))
      }
    }
    session.recorder?.start({
      startedAt,
      keep: (exchange) =>
        Effect.promise(() => {
          written = written.then(() => write(exchange))
          return written
        }),
      hide: (value) => (isMasked() ? masked(value) : value)
    })
  }

  const open = async (session: Session, { name, start }: Parameters<Recordings["start"]>[1]) => {
    const file = await host.create(name)
    const startedAt = now()
    const head = formatStart({ ...start, startedAt })
    await file.append(head).catch(async (problem: unknown) => {
      await file.close(false)
      throw problem
    })
    record(session, file, startedAt, Buffer.byteLength(head))
    dispatch({ _tag: "RecordingStarted", path: file.path, startedAt })
  }

  return {
    start: async (session, command) => {
      if (isOpening || end !== undefined) return
      isOpening = true
      try {
        await open(session, command)
      } catch (problem) {
        dispatch({ _tag: "Noticed", notice: { text: `not recording: ${messageOf(problem)}`, tone: "failed" } })
      } finally {
        isOpening = false
      }
    },
    stop: (why) => end?.(why) ?? Promise.resolve()
  }
}
