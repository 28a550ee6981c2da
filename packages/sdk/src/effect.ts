export * from "@signalbox/core"
