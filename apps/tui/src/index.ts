/**
 * The terminal UI as a function, for programs that carry it.
 */
export { launch, type Process } from "./launch/Launch.ts"
