// First, because parsers made before it stay interpreted.
import "effect/schema/SchemaJITCompiler/enable"
import { describeReading } from "./ReadingSuite.ts"

describeReading("with generated code")
