import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8"

// Thousands of frames leave short-lived strings behind. This keeps the old generation near its live size at the same
// speed: 125 MB where it would be 245 MB. Limits of the heap cannot be set once the process runs; its growth can.
setFlagsFromString("--heap-growing-percent=20")

/** Enough for the short-lived objects of about ten frames: a collection of one's own for each frame takes as long as it. */
const youngBytes = 16 * 1024 * 1024

/**
 * Stops the growth of the young generation where it is large enough; the program calls this again until it returns true.
 * With thousands of events loaded, V8 would let it grow to a multiple, which stays resident.
 */
export const limitYoungGeneration = (): boolean => {
  const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === "new_space")
  if (young !== undefined && young.space_size < youngBytes) return false
  setFlagsFromString("--semi-space-growth-factor=1")
  return true
}
