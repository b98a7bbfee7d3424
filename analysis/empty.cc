// Keeps the library from being empty until its first source is there.
