import type { Process } from "../process/Process.ts"

/** Whether a stream of the process may have colours. */
export const hasColours = ({
  environment,
  stdoutIsTerminal
}: Pick<Process["Service"], "environment" | "stdoutIsTerminal">): boolean =>
  stdoutIsTerminal && (environment["NO_COLOR"] ?? "") === "" && environment["TERM"] !== "dumb"
