-- A transaction cannot use a value that it adds to a type, so the next migration counts the rows.
ALTER TYPE counted_resource ADD VALUE 'ledger_rows';
