declare const __SIGNALBOX_VERSION__: string | undefined

/** The version that the bundler defines from the package's manifest; `source` for a program that runs unbundled. */
export const builtVersion: string = typeof __SIGNALBOX_VERSION__ === "string" ? __SIGNALBOX_VERSION__ : "source"
