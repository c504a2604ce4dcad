// releases: 19 22
// covers: more operations of the nvvm dialect, each once in generic form with the types and attributes it asks for.
"t.all"() ({
  "t.with"() ({
      "nvvm.fence.proxy"() {kind = #nvvm.proxy_kind<alias>} : () -> ()
    }) : () -> ()
}) : () -> ()
