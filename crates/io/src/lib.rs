//! Where do texts come from and go? Readers and writers, one file per format.
