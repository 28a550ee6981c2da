/**
 * The terminal UI as a function, for programs that carry it.
 */
export { systemClock } from "./runtime/Clock.ts"
export { launch, type Process } from "./launch/Launch.ts"
