"""What cannot be an assessor or an object, by its numbers and by its name, before anything is computed."""
