import { describeReading } from "./ReadingSuite.ts"

describeReading("with the interpreter")
