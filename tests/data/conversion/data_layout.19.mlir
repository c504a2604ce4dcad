module attributes {dlti.dl_spec = #dlti.dl_spec<#dlti.dl_entry<bf16, dense<[64, 128]> : vector<2xi64>>, #dlti.dl_entry<i32, dense<32> : vector<1xi64>>>} {}
