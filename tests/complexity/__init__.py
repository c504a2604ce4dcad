"""The complexity suite: files of many shapes at n, 2n and 4n, and what each command takes for them."""
