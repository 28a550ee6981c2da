/**
 * The place of the configuration file. Apart from what reads it, so that a start without a file loads none of that.
 */

/** The values of a process's environment. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The folder that a variable of the XDG specification names, which has relative values ignored; else one of the user's. */
const folderOf = (environment: Environment, variable: string, otherwise: string): string => {
  const base = environment[variable] ?? ""
  const isAbsolute = base.startsWith("/") || /^[A-Za-z]:[\\/]/u.test(base)
  const user = environment["HOME"] ?? environment["USERPROFILE"] ?? "~"
  return `${(isAbsolute ? base : `${user}/${otherwise}`).replace(/[\\/]+$/u, "")}/signalbox`
}

/** Where the file is: under `$XDG_CONFIG_HOME` when that is an absolute path, else under `~/.config`. */
export const configFilePath = (environment: Environment): string =>
  `${folderOf(environment, "XDG_CONFIG_HOME", ".config")}/config.toml`

/** A file that is kept between two sessions: under `$XDG_STATE_HOME` when that is absolute, else under `~/.local/state`. */
export const statePath = (environment: Environment, name: string): string =>
  `${folderOf(environment, "XDG_STATE_HOME", ".local/state")}/${name}`
