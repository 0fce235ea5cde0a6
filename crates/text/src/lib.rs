//! What is in this text? Normalising, words, characters, offsets back to the source.
