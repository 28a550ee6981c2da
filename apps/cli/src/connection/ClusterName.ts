/** The cluster that `--cluster` without a name means. */
export const defaultCluster = "default"

/** The words of a command line in which `--cluster` without a name has the default one. */
export const withClusterName = (args: ReadonlyArray<string>): ReadonlyArray<string> =>
  args.map((word, at) =>
    word === "--cluster" && (args[at + 1] ?? "-").startsWith("-") ? `--cluster=${defaultCluster}` : word
  )
