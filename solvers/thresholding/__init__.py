"""Generalised private testing: the thresholding mechanism (GTM), calibrated, run and audited."""
