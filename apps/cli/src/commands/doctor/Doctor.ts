import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { connectionFlag, yesFlag } from "../../connection/ConnectionFlags.ts"
import { subscriberId, switchFlag, textFlag } from "../../flags/Flags.ts"
import { outputFlags } from "../../output/OutputFlags.ts"
import { handledBy } from "../HandledBy.ts"

const doctorFlags = {
  calibrate: switchFlag(
    "calibrate",
    "Find out how the deployment behaves where the API document leaves it open, and write a preset file for the fake. Writes to a subscriber."
  ),
  subscriber: subscriberId("With --calibrate: a subscriber for tests, whose credentials are changed.").pipe(
    Flag.optional
  ),
  messages: Flag.String("message").pipe(
    Flag.withMetavar("ID"),
    Flag.atLeast(0),
    Flag.withDescription(
      "With --calibrate: a message of the subscriber, which is marked; repeat it for more. Four or more answer most questions."
    )
  ),
  output: textFlag(
    "output",
    "FILE",
    "With --calibrate: the preset file to create (signalbox-preset.json by default)."
  ).pipe(Flag.withAlias("o")),
  save: switchFlag(
    "save",
    "With --calibrate: keep what was found in the profile of the connection, for signalbox fake --like NAME. Writes no preset file unless --output is given."
  ),
  yes: yesFlag.yes.pipe(
    Flag.withDescription("Without asking, write to a live connection, or set the vendor in config.toml.")
  ),
  ...connectionFlag,
  ...outputFlags
}

/** The input of `doctor`. */
export type DoctorInput = Command.Command.Config.Infer<typeof doctorFlags>

/** Checks a deployment, or calibrates the fake with it. */
export const doctor = Command.make("doctor", doctorFlags, (input) =>
  (input.calibrate
    ? handledBy(() => import("./calibration/Calibrate.ts"), "calibrateConnection")
    : handledBy(() => import("./Examine.ts"), "examine"))(input)
).pipe(
  Command.withDescription(
    "Check a deployment without changing it: address, TLS, proxy, key, clock, rate limit, envelope, paging, vendor, drift and latency. Lists each difference from the API document, and offers to set the vendor in config.toml. Exits with the code of the worst result. With --calibrate, find out how the deployment behaves where the API document leaves it open."
  ),
  Command.withShortDescription("Check a deployment, or make the fake behave like it."),
  Command.withExamples([
    { command: "signalbox doctor --connection demo" },
    { command: "signalbox doctor --json | head -3", description: "For scripts" },
    {
      command: "signalbox doctor --calibrate --subscriber u_1 --message m1 --message m2 --output staging.json --yes",
      description: "A preset file for the fake, from a staging deployment"
    },
    { command: "signalbox fake --preset staging.json", description: "The fake, behaving like that deployment" },
    {
      command: "signalbox doctor --connection staging --calibrate --subscriber u_1 --message m1 --save --yes",
      description: "The same for a connection, without a file to pass around"
    },
    { command: "signalbox fake --like staging" }
  ])
)
