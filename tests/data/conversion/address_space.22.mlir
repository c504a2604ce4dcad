func.func private @a(memref<4xf32, #amdgpu.address_space<fat_raw_buffer>>)
