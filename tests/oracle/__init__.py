"""An independent second reading of the rulebooks, kept apart from the product as a test oracle."""
