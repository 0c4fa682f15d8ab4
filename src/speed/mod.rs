//! Forward-backward speed profile and lap time.
