// Keeps the library from being empty until its first host source is there.
