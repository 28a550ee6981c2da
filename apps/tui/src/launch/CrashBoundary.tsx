import { Component, type ReactNode } from "react"

interface Props {
  readonly onCrash: (error: unknown) => void
  readonly children: ReactNode
}

/** Draws nothing more after an error of drawing, and reports it. Ink would draw the error with all that it quotes. */
export class CrashBoundary extends Component<Props, { readonly hasCrashed: boolean }> {
  override readonly state = { hasCrashed: false }

  static getDerivedStateFromError() {
    return { hasCrashed: true }
  }

  override componentDidCatch(error: unknown): void {
    // React is still at work on this frame, and a report leaves the screen.
    setImmediate(() => this.props.onCrash(error))
  }

  override render(): ReactNode {
    return this.state.hasCrashed ? undefined : this.props.children
  }
}
