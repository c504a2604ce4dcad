module {
  util.global private @device_a : !hal.device loc(#loc1)
  util.global private @device_b : !hal.device loc(#loc2)
  util.func public @move(%arg0: !stream.resource<*>, %arg1: index) -> !stream.resource<*> {
    %0 = stream.async.transfer %arg0 : !stream.resource<*>{%arg1} from(#hal.device.affinity<@device_a>) -> to(#hal.device.affinity<@device_b>) !stream.resource<*>{%arg1} loc(#loc4)
    util.return %0 : !stream.resource<*> loc(#loc5)
  } loc(#loc3)
  util.func private @stop() {
    util.unreachable "never" loc(#loc7)
  } loc(#loc6)
} loc(#loc)
#loc = loc("-":0:0)
#loc1 = loc("-":1:1)
#loc2 = loc("-":2:1)
#loc3 = loc("-":3:1)
#loc4 = loc("-":4:8)
#loc5 = loc("-":5:3)
#loc6 = loc("-":7:1)
#loc7 = loc("-":8:3)
