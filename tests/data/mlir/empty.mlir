// releases: 16 19 22
// covers: a module with nothing in it: the smallest file a release writes.
module {
}
