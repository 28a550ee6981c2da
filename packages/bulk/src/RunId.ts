/**
 * Ids of runs.
 */
import { randomBytes } from "node:crypto"

/** A name that says what the run is and when it was made, and is unique. */
export const newRunId = (kind: "import" | "mark" | "export", createdAt: string): string =>
  `${kind}-${createdAt.replace(/[-:]|\.\d+/g, "")}-${randomBytes(4).toString("hex")}`
