-- Whether a refunded hold was a charge whose answer was withheld: nothing was bought then, and its
-- budgets and its free call were given back.
ALTER TABLE coinop.hold ADD COLUMN is_undone boolean;
