#!/usr/bin/env bash
# Builds the fuzz target for OSS-Fuzz and ClusterFuzzLite, with its seeds, dictionary and options.
#
# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
#      http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.
#
# The builder image sets SRC, OUT, FUZZING_ENGINE, SANITIZER, CUSTOM_LIBFUZZER_PATH, and RUSTFLAGS with
# -Zsanitizer=... for `address` and `memory`, and nothing for `undefined`: Rust has no such sanitizer, but every build
# here checks arithmetic and debug assertions. `scripts/oss-fuzz-check` runs this script outside of the image.
set -euo pipefail

cd "$SRC/mlirbc"
triple=x86_64-unknown-linux-gnu
# The instrumentation does not link with fat LTO.
export CARGO_PROFILE_RELEASE_LTO=false CARGO_INCREMENTAL=0
target=${CARGO_TARGET_DIR:-target}
std=()
if [ "$SANITIZER" = memory ]; then
    # Memory that an uninstrumented standard library writes would be taken for uninitialised.
    std=(-Zbuild-std)
fi

build() {
    cargo build --locked -p mlirbc-fuzz --bin run --features "$1" --release --target "$triple" ${std[@]+"${std[@]}"}
}

case $FUZZING_ENGINE-$SANITIZER in
    libfuzzer-coverage | libfuzzer-introspector) build libfuzzer ;;
    libfuzzer-*)
        cargo metadata --locked --format-version 1 >/dev/null
        cargo fuzz build -O --debug-assertions --sanitizer none ${std[@]+--build-std} \
            --features libfuzzer --target "$triple" run
        ;;
    afl-* | honggfuzz-*)
        # cargo-fuzz selects counters that only libFuzzer reads.
        export RUSTFLAGS="${RUSTFLAGS-} -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=3 \
-Cllvm-args=-sanitizer-coverage-trace-pc-guard -Cllvm-args=-sanitizer-coverage-trace-compares \
-Cdebug-assertions=yes -Coverflow-checks=yes -Ccodegen-units=1"
        if [ "$FUZZING_ENGINE" = afl ]; then
            # It adds AFL++'s runtime to what it links.
            export CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_LINKER=$CXX
        fi
        build engine
        ;;
    *)
        echo "build.sh: no build for the engine $FUZZING_ENGINE" >&2
        exit 1
        ;;
esac

cp "$target/$triple/release/run" "$OUT/mlirbc"
scripts/fuzz-corpus zip "$OUT/mlirbc_seed_corpus.zip"
cp fuzz/mlirbc.dict "$OUT/mlirbc.dict"
cat >"$OUT/mlirbc.options" <<'OPTIONS'
[libfuzzer]
max_len = 65536
timeout = 10
rss_limit_mb = 2048

[asan]
detect_odr_violation = 0
OPTIONS
