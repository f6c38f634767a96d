"""What becomes of records: learned, revised, consolidated, and all of it undone."""
