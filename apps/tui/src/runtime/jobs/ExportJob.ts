import { messageOf } from "@signalbox/operator/text/SystemReason"
import { outlet } from "@signalbox/operator/outlet/Outlet"
import { counted } from "@signalbox/operator/text/Counted"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { CommandOf } from "../../state/Command.ts"
import type { Msg } from "../../state/Msg.ts"
import type { Job, JobContext } from "./Job.ts"

/** Events of an export that are written at once: a few milliseconds of work. */
const exportedAtOnce = 100

/** Saves events part by part, so that keys keep working; an incomplete file is removed. */
export const exportEvents = ({ events, name }: CommandOf<"ExportEvents">, { dispatch, host }: JobContext): Job => {
  const what = counted(events.length, "event")
  return {
    label: `saving ${what}`,
    effect: (report) =>
      Effect.acquireUseRelease(
        Effect.tryPromise({ try: () => host.create(name), catch: messageOf }),
        (file) =>
          Effect.gen(function* () {
            for (let at = 0; at < events.length; at += exportedAtOnce) {
              const part = events.slice(at, at + exportedAtOnce)
              yield* Effect.tryPromise({ try: () => file.append(outlet("files").lines(part)), catch: messageOf })
              report(`${at + part.length} of ${events.length}`)
            }
            return { text: `${what} saved as ${file.path}`, tone: "ok" } as const
          }),
        (file, exit) => Effect.promise(() => file.close(Exit.isSuccess(exit)))
      ).pipe(
        Effect.catch((problem) => Effect.succeed({ text: `not saved: ${problem}`, tone: "failed" } as const)),
        Effect.map((notice): Msg => ({ _tag: "Noticed", notice })),
        Effect.onInterrupt(() =>
          Effect.sync(() =>
            dispatch({
              _tag: "Noticed",
              notice: { text: `export stopped; ${name} was removed`, tone: "warning" }
            })
          )
        )
      )
  }
}
