/**
 * The place of the configuration file. Apart from what reads it, so that a start without a file loads none of that.
 */

/** The values of a process's environment. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Where the file is: under `$XDG_CONFIG_HOME` when that is an absolute path, else under `~/.config`. */
export const configFilePath = (environment: Environment): string => {
  const base = environment["XDG_CONFIG_HOME"] ?? ""
  // The XDG specification has relative values ignored.
  const folder = base.startsWith("/") || /^[A-Za-z]:[\\/]/u.test(base) ? base : `${home(environment)}/.config`
  return `${folder.replace(/[\\/]+$/u, "")}/signalbox/config.toml`
}

/** The folder of the user. */
export const home = (environment: Environment): string => environment["HOME"] ?? environment["USERPROFILE"] ?? "~"
