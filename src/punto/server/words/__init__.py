"""What the floor says in words, in both languages: positions, steps of a round, irregularities, and clauses."""
