"""The trusted kernel: decides claims with exact arithmetic and the standard library alone."""
