-- Tables that were here and belong to a plugin lie in the plugin's schema from now on. A version that
-- looks for them here refuses a database that has a migration which it does not know: this one.
COMMENT ON SCHEMA coinop IS 'Tables of the kernel; those of a plugin are in the schema plugin_<id>';
