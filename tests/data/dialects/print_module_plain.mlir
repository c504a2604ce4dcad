// releases: 16 19 22
// covers: an empty module without a name.
module {
}
