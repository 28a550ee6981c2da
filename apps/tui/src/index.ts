/**
 * The terminal UI as a function, for programs that contain it.
 */
export { systemClock } from "./runtime/Clock.ts"
export { launch, type Process } from "./launch/Launch.ts"
export type { FileRunner } from "./runtime/FileRunner.ts"
export { type LaunchOptions, readUiOptions } from "./launch/LaunchOptions.ts"
export { runProgram } from "./launch/Program.ts"
export { resetSequence } from "./launch/Terminal.ts"
