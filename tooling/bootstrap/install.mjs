// Checks that this Node can run the installation, which an older one may not even parse.
const [major] = process.versions.node.split(".")

if (Number(major) >= 18) import("./installPart.mjs")
else {
  console.error(`Signalbox needs Node 18 or later; this is ${process.versions.node}.`)
  process.exit(2)
}
