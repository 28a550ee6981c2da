/**
 * The check that an executable makes before it loads anything else: on an older Node, the rest may not even parse.
 */
declare const __SIGNALBOX_NODE__: string

const numbersIn = (text: string): ReadonlyArray<number> => (text.match(/\d+/gu) ?? []).map(Number)

/**
 * Whether this Node can run the program; otherwise prints one sentence and sets exit code 2. The bundler defines the range,
 * such as `>=22.19`, from the package's `engines`.
 */
export const isSupportedNode = (): boolean => {
  const { node } = process.versions
  const [major = 0, minor = 0] = numbersIn(node)
  const [leastMajor = 0, leastMinor = 0] = numbersIn(__SIGNALBOX_NODE__)
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return true
  console.error(`Signalbox needs Node ${__SIGNALBOX_NODE__.slice(2)} or later; this is ${node}.`)
  process.exitCode = 2
  return false
}
