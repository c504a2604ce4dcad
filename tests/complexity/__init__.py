"""The complexity suite: files of many shapes at n, 2n and 4n, and the cost of each command on them."""
