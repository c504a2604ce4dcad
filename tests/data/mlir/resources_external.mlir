// releases: 16 19 22
// covers: external resources of every kind in several groups, next to a dialect resource.
"t.op"() {a = dense_resource<blob> : tensor<1xi8>} : () -> ()
{-#
  dialect_resources: {
    builtin: {
      blob: "0x0100000009"
    }
  },
  external_resources: {
    first: {
      text: "some text",
      empty: "",
      yes: true,
      no: false,
      bytes: "0x08000000010203"
    },
    second: {
      text: "some text",
      quote: "a \"quoted\" word"
    },
    third: {
      bytes: "0x0100000000"
    }
  }
#-}
