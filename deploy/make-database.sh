#!/bin/sh
# Makes the role and the database of Overworld in a new PostgreSQL of compose.yaml. The role is no superuser.
# The superuser loses its password, so it can log in only inside the container.
set -eu

psql --no-psqlrc --set ON_ERROR_STOP=1 --set password="$POSTGRES_PASSWORD" --username postgres --dbname postgres <<'SQL'
CREATE ROLE overworld LOGIN PASSWORD :'password';
CREATE DATABASE overworld OWNER overworld;
ALTER ROLE postgres PASSWORD NULL;
SQL
