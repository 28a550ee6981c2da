/**
 * The terminal UI as a function, for programs that contain it.
 */
export { systemClock } from "./runtime/Clock.ts"
export { launch, type Process } from "./launch/Launch.ts"
export type { FileRunner } from "./runtime/FileRunner.ts"
export type { LaunchOptions } from "./launch/LaunchOptions.ts"
export { resetSequence } from "./launch/Terminal.ts"
