/** The cluster that `--cluster` without a name means. */
export const defaultCluster = "default"

/** The words of a command line in which `--cluster` has the default name: the next word is an operand. */
export const withClusterName = (args: ReadonlyArray<string>): ReadonlyArray<string> =>
  args.map((word) => (word === "--cluster" ? `--cluster=${defaultCluster}` : word))
