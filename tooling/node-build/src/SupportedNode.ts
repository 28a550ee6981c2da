/**
 * The check that an executable makes before it loads anything else: on an older Node, the rest may not even parse.
 */
declare const __SIGNALBOX_NODE__: string | undefined

const numbersIn = (text: string): ReadonlyArray<number> => (text.match(/\d+/gu) ?? []).map(Number)

/**
 * Whether this Node can run the program; otherwise prints one sentence and sets exit code 2. The bundler defines the range,
 * such as `>=22.19`, from the package's `engines`; a program that runs unbundled has none.
 */
export const isSupportedNode = (): boolean => {
  const range = typeof __SIGNALBOX_NODE__ === "string" ? __SIGNALBOX_NODE__ : ">=0"
  const { node } = process.versions
  const [major = 0, minor = 0] = numbersIn(node)
  const [leastMajor = 0, leastMinor = 0] = numbersIn(range)
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return true
  console.error(`Signalbox needs Node ${range.slice(2)} or later; this is ${node}.`)
  process.exitCode = 2
  return false
}
