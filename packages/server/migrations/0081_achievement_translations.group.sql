-- Names and descriptions in other languages: {"de": {"name": …, "description": …}}.
ALTER TABLE achievements ADD COLUMN translations jsonb NOT NULL DEFAULT '{}';
