// The package is installed under another name than the one its own types declare; this is what the tests use of it.
declare module "node-pty" {
  interface Subscription {
    readonly dispose: () => void
  }
  interface Pty {
    readonly pid: number
    readonly onData: (listener: (data: string) => void) => Subscription
    readonly onExit: (listener: (exit: { readonly exitCode: number; readonly signal?: number }) => void) => Subscription
    readonly write: (data: string) => void
    readonly resize: (columns: number, rows: number) => void
    readonly kill: (signal?: string) => void
    readonly destroy: () => void
  }
  interface Options {
    readonly cols: number
    readonly rows: number
    readonly env: Readonly<Record<string, string | undefined>>
  }
  export function spawn(file: string, args: ReadonlyArray<string>, options: Options): Pty
}
