#!/usr/bin/env bash
# The build is that of OSS-Fuzz.
set -euo pipefail
exec "$SRC/mlirbc/fuzz/oss-fuzz/build.sh"
