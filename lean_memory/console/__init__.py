"""The console: a page on this machine to review, search and look back, for as long as the command runs."""
