import { assert, describe, it } from "@effect/vitest"
import { withEagerFunctions } from "./EagerFunctions.ts"

describe("eager functions", () => {
  it("are function expressions and arrow functions, at any depth", () => {
    assert.strictEqual(
      withEagerFunctions("var a=b=>c=>b(c),d=async()=>{},e=function*(){yield()=>1};f(()=>({g:h=>h}));"),
      "var a=(b=>(c=>b(c))),d=(async()=>{}),e=(function*(){yield(()=>1)});f((()=>({g:(h=>h)})));"
    )
  })

  it("are not declarations, methods and accessors, which parentheses would break", () => {
    const code =
      "function a(){}class B{c(){}get d(){return 1}static e=1;#f(){}}var g={h(){},get i(){return 2},set i(j){},*k(){}};"
    assert.strictEqual(withEagerFunctions(code), code)
  })

  it("keep the names that their variables give them", async () => {
    const code = withEagerFunctions("export const named=()=>{};export default()=>{};")
    const { default: standard, named } = await import(`data:text/javascript,${encodeURIComponent(code)}`)
    assert.deepStrictEqual([named.name, standard.name], ["named", "default"])
  })
})
