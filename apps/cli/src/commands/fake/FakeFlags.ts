import type * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { oneOf, textFlag, wholeNumber } from "../../flags/Flags.ts"

const seedLimit = 2 ** 32 - 1

/** How the fake is made; the same for `fake` and `fake exec`. */
export const fakeFlags = {
  port: wholeNumber("port", { minimum: 0, maximum: 65_535 }).pipe(
    Flag.withDefault(0),
    Flag.withDescription("Port to listen on; 0, the default, picks a free one.")
  ),
  preset: textFlag(
    "preset",
    "NAME|FILE",
    "How the fake settles what the API document leaves open: document (default), observed, adversarial, seeded(N), or a .json preset file."
  ),
  like: textFlag(
    "like",
    "NAME",
    "Behave like the service of a connection, as signalbox doctor --calibrate --save found it; instead of --preset."
  ),
  seed: wholeNumber("seed", { minimum: 0, maximum: seedLimit }).pipe(
    Flag.optional,
    Flag.withDescription("The same seed gives the same data (1 by default).")
  ),
  data: oneOf("data", ["demo", "empty"]).pipe(
    Flag.optional,
    Flag.withDescription("Start with demo data (default) or empty.")
  ),
  reproduce: textFlag(
    "reproduce",
    "TOKEN",
    "Start with the options and faults of a reproduction token, from a sweep or a check; other flags override it."
  )
}

/** The values of {@link fakeFlags}. */
export type FakeInput = Command.Command.Config.Infer<typeof fakeFlags>
