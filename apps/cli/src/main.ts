#!/usr/bin/env node
import { isSupportedNode } from "@signalbox/node-build/SupportedNode"

if (isSupportedNode()) await import("./Start.ts")
