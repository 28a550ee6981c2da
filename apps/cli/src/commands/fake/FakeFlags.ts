import * as Flag from "effect/cli/Flag"
import { oneOf, wholeNumber } from "../../flags/Flags.ts"

const seedLimit = 2 ** 32 - 1

/** How the fake is made; the same for `fake` and `fake exec`. */
export const fakeFlags = {
  port: wholeNumber("port", { minimum: 0, maximum: 65_535 }).pipe(
    Flag.withDefault(0),
    Flag.withDescription("Port to listen on; 0, the default, picks a free one.")
  ),
  preset: Flag.String("preset").pipe(
    Flag.withMetavar("NAME|FILE"),
    Flag.withDefault("document"),
    Flag.withDescription(
      "How the fake settles what the API document leaves open: document (default), observed, adversarial, seeded(N), or a .json preset file."
    )
  ),
  seed: wholeNumber("seed", { minimum: 0, maximum: seedLimit }).pipe(
    Flag.withDefault(1),
    Flag.withDescription("The same seed gives the same data (1 by default).")
  ),
  data: oneOf("data", ["demo", "empty"]).pipe(
    Flag.withDefault("demo"),
    Flag.withDescription("Start with demo data (default) or empty.")
  )
}

/** The values of {@link fakeFlags}. */
export interface FakeInput {
  readonly port: number
  readonly preset: string
  readonly seed: number
  readonly data: "demo" | "empty"
}
