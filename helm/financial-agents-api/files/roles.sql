-- Written by `pnpm gen` from libs/platform/postgres/src/role-statements.ts; change it there.
--
-- Makes a schema and two roles for every service: <schema>_owner owns it and migrates, <schema> is what the service runs as.
-- For psql 14 or newer, as a superuser (or as the owner of the database who may create roles), connected to the database
-- of the installation. Passwords do not appear here, nor in the server's log: the environment holds their SCRAM verifiers, as
-- `pnpm create-secrets` wrote them. CONNECTION_LIMIT is for each service, all replicas together.

\set ON_ERROR_STOP on
\set connection_limit 64
\getenv connection_limit CONNECTION_LIMIT

\getenv authz VERIFIER_AUTHZ
\getenv authz_owner VERIFIER_AUTHZ_OWNER
\getenv operations VERIFIER_OPERATIONS
\getenv operations_owner VERIFIER_OPERATIONS_OWNER
\getenv submitter VERIFIER_SUBMITTER
\getenv submitter_owner VERIFIER_SUBMITTER_OWNER
\getenv reconciler VERIFIER_RECONCILER
\getenv reconciler_owner VERIFIER_RECONCILER_OWNER
\getenv beneficiaries VERIFIER_BENEFICIARIES
\getenv beneficiaries_owner VERIFIER_BENEFICIARIES_OWNER
\getenv cards VERIFIER_CARDS
\getenv cards_owner VERIFIER_CARDS_OWNER
\getenv spending VERIFIER_SPENDING
\getenv spending_owner VERIFIER_SPENDING_OWNER
\getenv onboarding VERIFIER_ONBOARDING
\getenv onboarding_owner VERIFIER_ONBOARDING_OWNER
\getenv catalog VERIFIER_CATALOG
\getenv catalog_owner VERIFIER_CATALOG_OWNER
\getenv notifier VERIFIER_NOTIFIER
\getenv notifier_owner VERIFIER_NOTIFIER_OWNER
\getenv ops_console VERIFIER_OPS_CONSOLE
\getenv ops_console_owner VERIFIER_OPS_CONSOLE_OWNER

\if :{?authz} \else
DO $do$ BEGIN RAISE EXCEPTION 'VERIFIER_AUTHZ is not set'; END $do$;
\endif
\if :{?authz_owner} \else
DO $do$ BEGIN RAISE EXCEPTION 'VERIFIER_AUTHZ_OWNER is not set'; END $do$;
\endif
\if :{?operations} \else
DO $do$ BEGIN RAISE EXCEPTION 'VERIFIER_OPERATIONS is not set'; END $do$;
\endif
\if :{?operations_owner} \else
DO $do$ BEGIN RAISE EXCEPTION 'VERIFIER_OPERATIONS_OWNER is not set'; END $do$;
\endif
\if :{?submitter} \else
DO $do$ BEGIN RAISE EXCEPTION 'VERIFIER_SUBMITTER is not set'; END $do$;
\endif
\if :{?submitter_owner} \else
DO $do$ BEGIN RAISE EXCEPTION 'VERIFIER_SUBMITTER_OWNER is not set'; END $do$;
\endif
\if :{?reconciler} \else
DO $do$ BEGIN RAISE EXCEPTION 'VERIFIER_RECONCILER is not set'; END $do$;
\endif
\if :{?reconciler_owner} \else
DO $do$ BEGIN RAISE EXCEPTION 'VERIFIER_RECONCILER_OWNER is not set'; END $do$;
\endif
\if :{?beneficiaries} \else
DO $do$ BEGIN RAISE EXCEPTION 'VERIFIER_BENEFICIARIES is not set'; END $do$;
\endif
\if :{?beneficiaries_owner} \else
DO $do$ BEGIN RAISE EXCEPTION 'VERIFIER_BENEFICIARIES_OWNER is not set'; END $do$;
\endif
\if :{?cards} \else
DO $do$ BEGIN RAISE EXCEPTION 'VERIFIER_CARDS is not set'; END $do$;
\endif
\if :{?cards_owner} \else
DO $do$ BEGIN RAISE EXCEPTION 'VERIFIER_CARDS_OWNER is not set'; END $do$;
\endif
\if :{?spending} \else
DO $do$ BEGIN RAISE EXCEPTION 'VERIFIER_SPENDING is not set'; END $do$;
\endif
\if :{?spending_owner} \else
DO $do$ BEGIN RAISE EXCEPTION 'VERIFIER_SPENDING_OWNER is not set'; END $do$;
\endif
\if :{?onboarding} \else
DO $do$ BEGIN RAISE EXCEPTION 'VERIFIER_ONBOARDING is not set'; END $do$;
\endif
\if :{?onboarding_owner} \else
DO $do$ BEGIN RAISE EXCEPTION 'VERIFIER_ONBOARDING_OWNER is not set'; END $do$;
\endif
\if :{?catalog} \else
DO $do$ BEGIN RAISE EXCEPTION 'VERIFIER_CATALOG is not set'; END $do$;
\endif
\if :{?catalog_owner} \else
DO $do$ BEGIN RAISE EXCEPTION 'VERIFIER_CATALOG_OWNER is not set'; END $do$;
\endif
\if :{?notifier} \else
DO $do$ BEGIN RAISE EXCEPTION 'VERIFIER_NOTIFIER is not set'; END $do$;
\endif
\if :{?notifier_owner} \else
DO $do$ BEGIN RAISE EXCEPTION 'VERIFIER_NOTIFIER_OWNER is not set'; END $do$;
\endif
\if :{?ops_console} \else
DO $do$ BEGIN RAISE EXCEPTION 'VERIFIER_OPS_CONSOLE is not set'; END $do$;
\endif
\if :{?ops_console_owner} \else
DO $do$ BEGIN RAISE EXCEPTION 'VERIFIER_OPS_CONSOLE_OWNER is not set'; END $do$;
\endif

SET client_min_messages = warning;
BEGIN;
SELECT pg_advisory_xact_lock(hashtext('provision_roles')) \g /dev/null
REVOKE ALL ON SCHEMA public FROM PUBLIC;
REVOKE CONNECT, TEMPORARY ON DATABASE :"DBNAME" FROM PUBLIC;

-- authz
DO $do$ DECLARE name text; other text; BEGIN
  FOR name IN SELECT unnest(ARRAY['authz', 'authz_owner']) EXCEPT SELECT rolname FROM pg_roles LOOP
    EXECUTE format('CREATE ROLE %I', name);
  END LOOP;
END $do$;
ALTER ROLE "authz_owner" LOGIN NOCREATEDB NOCREATEROLE NOINHERIT CONNECTION LIMIT 16 PASSWORD :'authz_owner';
ALTER ROLE "authz" LOGIN NOCREATEDB NOCREATEROLE NOINHERIT CONNECTION LIMIT :connection_limit PASSWORD :'authz';
DO $do$ DECLARE name text; other text; BEGIN
  FOR name IN SELECT rolname FROM pg_roles
    WHERE rolname IN ('authz', 'authz_owner') AND (rolsuper OR rolreplication OR rolbypassrls) LOOP
    EXECUTE format('ALTER ROLE %I NOSUPERUSER NOREPLICATION NOBYPASSRLS', name);
  END LOOP;
  FOR name, other IN SELECT m.rolname, g.rolname FROM pg_auth_members a
    JOIN pg_roles m ON m.oid = a.member JOIN pg_roles g ON g.oid = a.roleid WHERE m.rolname IN ('authz', 'authz_owner') LOOP
    EXECUTE format('REVOKE %I FROM %I', other, name);
  END LOOP;
END $do$;
DO $do$ DECLARE name text; other text; BEGIN
  IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
    GRANT "authz_owner", "authz" TO CURRENT_USER;
  END IF;
END $do$;
GRANT CONNECT ON DATABASE :"DBNAME" TO "authz", "authz_owner";
CREATE SCHEMA IF NOT EXISTS "authz" AUTHORIZATION "authz_owner";
ALTER SCHEMA "authz" OWNER TO "authz_owner";
REVOKE ALL ON SCHEMA "authz" FROM PUBLIC, "authz";
GRANT USAGE ON SCHEMA "authz" TO "authz";
ALTER DEFAULT PRIVILEGES FOR ROLE "authz_owner" REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;
ALTER DEFAULT PRIVILEGES FOR ROLE "authz_owner" IN SCHEMA "authz" GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO "authz";
ALTER DEFAULT PRIVILEGES FOR ROLE "authz_owner" IN SCHEMA "authz" GRANT USAGE ON SEQUENCES TO "authz";
ALTER DEFAULT PRIVILEGES FOR ROLE "authz_owner" IN SCHEMA "authz" GRANT EXECUTE ON FUNCTIONS TO "authz";

-- operations
DO $do$ DECLARE name text; other text; BEGIN
  FOR name IN SELECT unnest(ARRAY['operations', 'operations_owner']) EXCEPT SELECT rolname FROM pg_roles LOOP
    EXECUTE format('CREATE ROLE %I', name);
  END LOOP;
END $do$;
ALTER ROLE "operations_owner" LOGIN NOCREATEDB NOCREATEROLE NOINHERIT CONNECTION LIMIT 16 PASSWORD :'operations_owner';
ALTER ROLE "operations" LOGIN NOCREATEDB NOCREATEROLE NOINHERIT CONNECTION LIMIT :connection_limit PASSWORD :'operations';
DO $do$ DECLARE name text; other text; BEGIN
  FOR name IN SELECT rolname FROM pg_roles
    WHERE rolname IN ('operations', 'operations_owner') AND (rolsuper OR rolreplication OR rolbypassrls) LOOP
    EXECUTE format('ALTER ROLE %I NOSUPERUSER NOREPLICATION NOBYPASSRLS', name);
  END LOOP;
  FOR name, other IN SELECT m.rolname, g.rolname FROM pg_auth_members a
    JOIN pg_roles m ON m.oid = a.member JOIN pg_roles g ON g.oid = a.roleid WHERE m.rolname IN ('operations', 'operations_owner') LOOP
    EXECUTE format('REVOKE %I FROM %I', other, name);
  END LOOP;
END $do$;
DO $do$ DECLARE name text; other text; BEGIN
  IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
    GRANT "operations_owner", "operations" TO CURRENT_USER;
  END IF;
END $do$;
GRANT CONNECT ON DATABASE :"DBNAME" TO "operations", "operations_owner";
CREATE SCHEMA IF NOT EXISTS "operations" AUTHORIZATION "operations_owner";
ALTER SCHEMA "operations" OWNER TO "operations_owner";
REVOKE ALL ON SCHEMA "operations" FROM PUBLIC, "operations";
GRANT USAGE ON SCHEMA "operations" TO "operations";
ALTER DEFAULT PRIVILEGES FOR ROLE "operations_owner" REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;
ALTER DEFAULT PRIVILEGES FOR ROLE "operations_owner" IN SCHEMA "operations" GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO "operations";
ALTER DEFAULT PRIVILEGES FOR ROLE "operations_owner" IN SCHEMA "operations" GRANT USAGE ON SEQUENCES TO "operations";
ALTER DEFAULT PRIVILEGES FOR ROLE "operations_owner" IN SCHEMA "operations" GRANT EXECUTE ON FUNCTIONS TO "operations";

-- submitter
DO $do$ DECLARE name text; other text; BEGIN
  FOR name IN SELECT unnest(ARRAY['submitter', 'submitter_owner']) EXCEPT SELECT rolname FROM pg_roles LOOP
    EXECUTE format('CREATE ROLE %I', name);
  END LOOP;
END $do$;
ALTER ROLE "submitter_owner" LOGIN NOCREATEDB NOCREATEROLE NOINHERIT CONNECTION LIMIT 16 PASSWORD :'submitter_owner';
ALTER ROLE "submitter" LOGIN NOCREATEDB NOCREATEROLE NOINHERIT CONNECTION LIMIT :connection_limit PASSWORD :'submitter';
DO $do$ DECLARE name text; other text; BEGIN
  FOR name IN SELECT rolname FROM pg_roles
    WHERE rolname IN ('submitter', 'submitter_owner') AND (rolsuper OR rolreplication OR rolbypassrls) LOOP
    EXECUTE format('ALTER ROLE %I NOSUPERUSER NOREPLICATION NOBYPASSRLS', name);
  END LOOP;
  FOR name, other IN SELECT m.rolname, g.rolname FROM pg_auth_members a
    JOIN pg_roles m ON m.oid = a.member JOIN pg_roles g ON g.oid = a.roleid WHERE m.rolname IN ('submitter', 'submitter_owner') LOOP
    EXECUTE format('REVOKE %I FROM %I', other, name);
  END LOOP;
END $do$;
DO $do$ DECLARE name text; other text; BEGIN
  IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
    GRANT "submitter_owner", "submitter" TO CURRENT_USER;
  END IF;
END $do$;
GRANT CONNECT ON DATABASE :"DBNAME" TO "submitter", "submitter_owner";
CREATE SCHEMA IF NOT EXISTS "submitter" AUTHORIZATION "submitter_owner";
ALTER SCHEMA "submitter" OWNER TO "submitter_owner";
REVOKE ALL ON SCHEMA "submitter" FROM PUBLIC, "submitter";
GRANT USAGE ON SCHEMA "submitter" TO "submitter";
ALTER DEFAULT PRIVILEGES FOR ROLE "submitter_owner" REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;
ALTER DEFAULT PRIVILEGES FOR ROLE "submitter_owner" IN SCHEMA "submitter" GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO "submitter";
ALTER DEFAULT PRIVILEGES FOR ROLE "submitter_owner" IN SCHEMA "submitter" GRANT USAGE ON SEQUENCES TO "submitter";
ALTER DEFAULT PRIVILEGES FOR ROLE "submitter_owner" IN SCHEMA "submitter" GRANT EXECUTE ON FUNCTIONS TO "submitter";

-- reconciler
DO $do$ DECLARE name text; other text; BEGIN
  FOR name IN SELECT unnest(ARRAY['reconciler', 'reconciler_owner']) EXCEPT SELECT rolname FROM pg_roles LOOP
    EXECUTE format('CREATE ROLE %I', name);
  END LOOP;
END $do$;
ALTER ROLE "reconciler_owner" LOGIN NOCREATEDB NOCREATEROLE NOINHERIT CONNECTION LIMIT 16 PASSWORD :'reconciler_owner';
ALTER ROLE "reconciler" LOGIN NOCREATEDB NOCREATEROLE NOINHERIT CONNECTION LIMIT :connection_limit PASSWORD :'reconciler';
DO $do$ DECLARE name text; other text; BEGIN
  FOR name IN SELECT rolname FROM pg_roles
    WHERE rolname IN ('reconciler', 'reconciler_owner') AND (rolsuper OR rolreplication OR rolbypassrls) LOOP
    EXECUTE format('ALTER ROLE %I NOSUPERUSER NOREPLICATION NOBYPASSRLS', name);
  END LOOP;
  FOR name, other IN SELECT m.rolname, g.rolname FROM pg_auth_members a
    JOIN pg_roles m ON m.oid = a.member JOIN pg_roles g ON g.oid = a.roleid WHERE m.rolname IN ('reconciler', 'reconciler_owner') LOOP
    EXECUTE format('REVOKE %I FROM %I', other, name);
  END LOOP;
END $do$;
DO $do$ DECLARE name text; other text; BEGIN
  IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
    GRANT "reconciler_owner", "reconciler" TO CURRENT_USER;
  END IF;
END $do$;
GRANT CONNECT ON DATABASE :"DBNAME" TO "reconciler", "reconciler_owner";
CREATE SCHEMA IF NOT EXISTS "reconciler" AUTHORIZATION "reconciler_owner";
ALTER SCHEMA "reconciler" OWNER TO "reconciler_owner";
REVOKE ALL ON SCHEMA "reconciler" FROM PUBLIC, "reconciler";
GRANT USAGE ON SCHEMA "reconciler" TO "reconciler";
ALTER DEFAULT PRIVILEGES FOR ROLE "reconciler_owner" REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;
ALTER DEFAULT PRIVILEGES FOR ROLE "reconciler_owner" IN SCHEMA "reconciler" GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO "reconciler";
ALTER DEFAULT PRIVILEGES FOR ROLE "reconciler_owner" IN SCHEMA "reconciler" GRANT USAGE ON SEQUENCES TO "reconciler";
ALTER DEFAULT PRIVILEGES FOR ROLE "reconciler_owner" IN SCHEMA "reconciler" GRANT EXECUTE ON FUNCTIONS TO "reconciler";

-- beneficiaries
DO $do$ DECLARE name text; other text; BEGIN
  FOR name IN SELECT unnest(ARRAY['beneficiaries', 'beneficiaries_owner']) EXCEPT SELECT rolname FROM pg_roles LOOP
    EXECUTE format('CREATE ROLE %I', name);
  END LOOP;
END $do$;
ALTER ROLE "beneficiaries_owner" LOGIN NOCREATEDB NOCREATEROLE NOINHERIT CONNECTION LIMIT 16 PASSWORD :'beneficiaries_owner';
ALTER ROLE "beneficiaries" LOGIN NOCREATEDB NOCREATEROLE NOINHERIT CONNECTION LIMIT :connection_limit PASSWORD :'beneficiaries';
DO $do$ DECLARE name text; other text; BEGIN
  FOR name IN SELECT rolname FROM pg_roles
    WHERE rolname IN ('beneficiaries', 'beneficiaries_owner') AND (rolsuper OR rolreplication OR rolbypassrls) LOOP
    EXECUTE format('ALTER ROLE %I NOSUPERUSER NOREPLICATION NOBYPASSRLS', name);
  END LOOP;
  FOR name, other IN SELECT m.rolname, g.rolname FROM pg_auth_members a
    JOIN pg_roles m ON m.oid = a.member JOIN pg_roles g ON g.oid = a.roleid WHERE m.rolname IN ('beneficiaries', 'beneficiaries_owner') LOOP
    EXECUTE format('REVOKE %I FROM %I', other, name);
  END LOOP;
END $do$;
DO $do$ DECLARE name text; other text; BEGIN
  IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
    GRANT "beneficiaries_owner", "beneficiaries" TO CURRENT_USER;
  END IF;
END $do$;
GRANT CONNECT ON DATABASE :"DBNAME" TO "beneficiaries", "beneficiaries_owner";
CREATE SCHEMA IF NOT EXISTS "beneficiaries" AUTHORIZATION "beneficiaries_owner";
ALTER SCHEMA "beneficiaries" OWNER TO "beneficiaries_owner";
REVOKE ALL ON SCHEMA "beneficiaries" FROM PUBLIC, "beneficiaries";
GRANT USAGE ON SCHEMA "beneficiaries" TO "beneficiaries";
ALTER DEFAULT PRIVILEGES FOR ROLE "beneficiaries_owner" REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;
ALTER DEFAULT PRIVILEGES FOR ROLE "beneficiaries_owner" IN SCHEMA "beneficiaries" GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO "beneficiaries";
ALTER DEFAULT PRIVILEGES FOR ROLE "beneficiaries_owner" IN SCHEMA "beneficiaries" GRANT USAGE ON SEQUENCES TO "beneficiaries";
ALTER DEFAULT PRIVILEGES FOR ROLE "beneficiaries_owner" IN SCHEMA "beneficiaries" GRANT EXECUTE ON FUNCTIONS TO "beneficiaries";

-- cards
DO $do$ DECLARE name text; other text; BEGIN
  FOR name IN SELECT unnest(ARRAY['cards', 'cards_owner']) EXCEPT SELECT rolname FROM pg_roles LOOP
    EXECUTE format('CREATE ROLE %I', name);
  END LOOP;
END $do$;
ALTER ROLE "cards_owner" LOGIN NOCREATEDB NOCREATEROLE NOINHERIT CONNECTION LIMIT 16 PASSWORD :'cards_owner';
ALTER ROLE "cards" LOGIN NOCREATEDB NOCREATEROLE NOINHERIT CONNECTION LIMIT :connection_limit PASSWORD :'cards';
DO $do$ DECLARE name text; other text; BEGIN
  FOR name IN SELECT rolname FROM pg_roles
    WHERE rolname IN ('cards', 'cards_owner') AND (rolsuper OR rolreplication OR rolbypassrls) LOOP
    EXECUTE format('ALTER ROLE %I NOSUPERUSER NOREPLICATION NOBYPASSRLS', name);
  END LOOP;
  FOR name, other IN SELECT m.rolname, g.rolname FROM pg_auth_members a
    JOIN pg_roles m ON m.oid = a.member JOIN pg_roles g ON g.oid = a.roleid WHERE m.rolname IN ('cards', 'cards_owner') LOOP
    EXECUTE format('REVOKE %I FROM %I', other, name);
  END LOOP;
END $do$;
DO $do$ DECLARE name text; other text; BEGIN
  IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
    GRANT "cards_owner", "cards" TO CURRENT_USER;
  END IF;
END $do$;
GRANT CONNECT ON DATABASE :"DBNAME" TO "cards", "cards_owner";
CREATE SCHEMA IF NOT EXISTS "cards" AUTHORIZATION "cards_owner";
ALTER SCHEMA "cards" OWNER TO "cards_owner";
REVOKE ALL ON SCHEMA "cards" FROM PUBLIC, "cards";
GRANT USAGE ON SCHEMA "cards" TO "cards";
ALTER DEFAULT PRIVILEGES FOR ROLE "cards_owner" REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;
ALTER DEFAULT PRIVILEGES FOR ROLE "cards_owner" IN SCHEMA "cards" GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO "cards";
ALTER DEFAULT PRIVILEGES FOR ROLE "cards_owner" IN SCHEMA "cards" GRANT USAGE ON SEQUENCES TO "cards";
ALTER DEFAULT PRIVILEGES FOR ROLE "cards_owner" IN SCHEMA "cards" GRANT EXECUTE ON FUNCTIONS TO "cards";

-- spending
DO $do$ DECLARE name text; other text; BEGIN
  FOR name IN SELECT unnest(ARRAY['spending', 'spending_owner']) EXCEPT SELECT rolname FROM pg_roles LOOP
    EXECUTE format('CREATE ROLE %I', name);
  END LOOP;
END $do$;
ALTER ROLE "spending_owner" LOGIN NOCREATEDB NOCREATEROLE NOINHERIT CONNECTION LIMIT 16 PASSWORD :'spending_owner';
ALTER ROLE "spending" LOGIN NOCREATEDB NOCREATEROLE NOINHERIT CONNECTION LIMIT :connection_limit PASSWORD :'spending';
DO $do$ DECLARE name text; other text; BEGIN
  FOR name IN SELECT rolname FROM pg_roles
    WHERE rolname IN ('spending', 'spending_owner') AND (rolsuper OR rolreplication OR rolbypassrls) LOOP
    EXECUTE format('ALTER ROLE %I NOSUPERUSER NOREPLICATION NOBYPASSRLS', name);
  END LOOP;
  FOR name, other IN SELECT m.rolname, g.rolname FROM pg_auth_members a
    JOIN pg_roles m ON m.oid = a.member JOIN pg_roles g ON g.oid = a.roleid WHERE m.rolname IN ('spending', 'spending_owner') LOOP
    EXECUTE format('REVOKE %I FROM %I', other, name);
  END LOOP;
END $do$;
DO $do$ DECLARE name text; other text; BEGIN
  IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
    GRANT "spending_owner", "spending" TO CURRENT_USER;
  END IF;
END $do$;
GRANT CONNECT ON DATABASE :"DBNAME" TO "spending", "spending_owner";
CREATE SCHEMA IF NOT EXISTS "spending" AUTHORIZATION "spending_owner";
ALTER SCHEMA "spending" OWNER TO "spending_owner";
REVOKE ALL ON SCHEMA "spending" FROM PUBLIC, "spending";
GRANT USAGE ON SCHEMA "spending" TO "spending";
ALTER DEFAULT PRIVILEGES FOR ROLE "spending_owner" REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;
ALTER DEFAULT PRIVILEGES FOR ROLE "spending_owner" IN SCHEMA "spending" GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO "spending";
ALTER DEFAULT PRIVILEGES FOR ROLE "spending_owner" IN SCHEMA "spending" GRANT USAGE ON SEQUENCES TO "spending";
ALTER DEFAULT PRIVILEGES FOR ROLE "spending_owner" IN SCHEMA "spending" GRANT EXECUTE ON FUNCTIONS TO "spending";

-- onboarding
DO $do$ DECLARE name text; other text; BEGIN
  FOR name IN SELECT unnest(ARRAY['onboarding', 'onboarding_owner']) EXCEPT SELECT rolname FROM pg_roles LOOP
    EXECUTE format('CREATE ROLE %I', name);
  END LOOP;
END $do$;
ALTER ROLE "onboarding_owner" LOGIN NOCREATEDB NOCREATEROLE NOINHERIT CONNECTION LIMIT 16 PASSWORD :'onboarding_owner';
ALTER ROLE "onboarding" LOGIN NOCREATEDB NOCREATEROLE NOINHERIT CONNECTION LIMIT :connection_limit PASSWORD :'onboarding';
DO $do$ DECLARE name text; other text; BEGIN
  FOR name IN SELECT rolname FROM pg_roles
    WHERE rolname IN ('onboarding', 'onboarding_owner') AND (rolsuper OR rolreplication OR rolbypassrls) LOOP
    EXECUTE format('ALTER ROLE %I NOSUPERUSER NOREPLICATION NOBYPASSRLS', name);
  END LOOP;
  FOR name, other IN SELECT m.rolname, g.rolname FROM pg_auth_members a
    JOIN pg_roles m ON m.oid = a.member JOIN pg_roles g ON g.oid = a.roleid WHERE m.rolname IN ('onboarding', 'onboarding_owner') LOOP
    EXECUTE format('REVOKE %I FROM %I', other, name);
  END LOOP;
END $do$;
DO $do$ DECLARE name text; other text; BEGIN
  IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
    GRANT "onboarding_owner", "onboarding" TO CURRENT_USER;
  END IF;
END $do$;
GRANT CONNECT ON DATABASE :"DBNAME" TO "onboarding", "onboarding_owner";
CREATE SCHEMA IF NOT EXISTS "onboarding" AUTHORIZATION "onboarding_owner";
ALTER SCHEMA "onboarding" OWNER TO "onboarding_owner";
REVOKE ALL ON SCHEMA "onboarding" FROM PUBLIC, "onboarding";
GRANT USAGE ON SCHEMA "onboarding" TO "onboarding";
ALTER DEFAULT PRIVILEGES FOR ROLE "onboarding_owner" REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;
ALTER DEFAULT PRIVILEGES FOR ROLE "onboarding_owner" IN SCHEMA "onboarding" GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO "onboarding";
ALTER DEFAULT PRIVILEGES FOR ROLE "onboarding_owner" IN SCHEMA "onboarding" GRANT USAGE ON SEQUENCES TO "onboarding";
ALTER DEFAULT PRIVILEGES FOR ROLE "onboarding_owner" IN SCHEMA "onboarding" GRANT EXECUTE ON FUNCTIONS TO "onboarding";

-- catalog
DO $do$ DECLARE name text; other text; BEGIN
  FOR name IN SELECT unnest(ARRAY['catalog', 'catalog_owner']) EXCEPT SELECT rolname FROM pg_roles LOOP
    EXECUTE format('CREATE ROLE %I', name);
  END LOOP;
END $do$;
ALTER ROLE "catalog_owner" LOGIN NOCREATEDB NOCREATEROLE NOINHERIT CONNECTION LIMIT 16 PASSWORD :'catalog_owner';
ALTER ROLE "catalog" LOGIN NOCREATEDB NOCREATEROLE NOINHERIT CONNECTION LIMIT :connection_limit PASSWORD :'catalog';
DO $do$ DECLARE name text; other text; BEGIN
  FOR name IN SELECT rolname FROM pg_roles
    WHERE rolname IN ('catalog', 'catalog_owner') AND (rolsuper OR rolreplication OR rolbypassrls) LOOP
    EXECUTE format('ALTER ROLE %I NOSUPERUSER NOREPLICATION NOBYPASSRLS', name);
  END LOOP;
  FOR name, other IN SELECT m.rolname, g.rolname FROM pg_auth_members a
    JOIN pg_roles m ON m.oid = a.member JOIN pg_roles g ON g.oid = a.roleid WHERE m.rolname IN ('catalog', 'catalog_owner') LOOP
    EXECUTE format('REVOKE %I FROM %I', other, name);
  END LOOP;
END $do$;
DO $do$ DECLARE name text; other text; BEGIN
  IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
    GRANT "catalog_owner", "catalog" TO CURRENT_USER;
  END IF;
END $do$;
GRANT CONNECT ON DATABASE :"DBNAME" TO "catalog", "catalog_owner";
CREATE SCHEMA IF NOT EXISTS "catalog" AUTHORIZATION "catalog_owner";
ALTER SCHEMA "catalog" OWNER TO "catalog_owner";
REVOKE ALL ON SCHEMA "catalog" FROM PUBLIC, "catalog";
GRANT USAGE ON SCHEMA "catalog" TO "catalog";
ALTER DEFAULT PRIVILEGES FOR ROLE "catalog_owner" REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;
ALTER DEFAULT PRIVILEGES FOR ROLE "catalog_owner" IN SCHEMA "catalog" GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO "catalog";
ALTER DEFAULT PRIVILEGES FOR ROLE "catalog_owner" IN SCHEMA "catalog" GRANT USAGE ON SEQUENCES TO "catalog";
ALTER DEFAULT PRIVILEGES FOR ROLE "catalog_owner" IN SCHEMA "catalog" GRANT EXECUTE ON FUNCTIONS TO "catalog";

-- notifier
DO $do$ DECLARE name text; other text; BEGIN
  FOR name IN SELECT unnest(ARRAY['notifier', 'notifier_owner']) EXCEPT SELECT rolname FROM pg_roles LOOP
    EXECUTE format('CREATE ROLE %I', name);
  END LOOP;
END $do$;
ALTER ROLE "notifier_owner" LOGIN NOCREATEDB NOCREATEROLE NOINHERIT CONNECTION LIMIT 16 PASSWORD :'notifier_owner';
ALTER ROLE "notifier" LOGIN NOCREATEDB NOCREATEROLE NOINHERIT CONNECTION LIMIT :connection_limit PASSWORD :'notifier';
DO $do$ DECLARE name text; other text; BEGIN
  FOR name IN SELECT rolname FROM pg_roles
    WHERE rolname IN ('notifier', 'notifier_owner') AND (rolsuper OR rolreplication OR rolbypassrls) LOOP
    EXECUTE format('ALTER ROLE %I NOSUPERUSER NOREPLICATION NOBYPASSRLS', name);
  END LOOP;
  FOR name, other IN SELECT m.rolname, g.rolname FROM pg_auth_members a
    JOIN pg_roles m ON m.oid = a.member JOIN pg_roles g ON g.oid = a.roleid WHERE m.rolname IN ('notifier', 'notifier_owner') LOOP
    EXECUTE format('REVOKE %I FROM %I', other, name);
  END LOOP;
END $do$;
DO $do$ DECLARE name text; other text; BEGIN
  IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
    GRANT "notifier_owner", "notifier" TO CURRENT_USER;
  END IF;
END $do$;
GRANT CONNECT ON DATABASE :"DBNAME" TO "notifier", "notifier_owner";
CREATE SCHEMA IF NOT EXISTS "notifier" AUTHORIZATION "notifier_owner";
ALTER SCHEMA "notifier" OWNER TO "notifier_owner";
REVOKE ALL ON SCHEMA "notifier" FROM PUBLIC, "notifier";
GRANT USAGE ON SCHEMA "notifier" TO "notifier";
ALTER DEFAULT PRIVILEGES FOR ROLE "notifier_owner" REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;
ALTER DEFAULT PRIVILEGES FOR ROLE "notifier_owner" IN SCHEMA "notifier" GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO "notifier";
ALTER DEFAULT PRIVILEGES FOR ROLE "notifier_owner" IN SCHEMA "notifier" GRANT USAGE ON SEQUENCES TO "notifier";
ALTER DEFAULT PRIVILEGES FOR ROLE "notifier_owner" IN SCHEMA "notifier" GRANT EXECUTE ON FUNCTIONS TO "notifier";

-- ops-console
DO $do$ DECLARE name text; other text; BEGIN
  FOR name IN SELECT unnest(ARRAY['ops_console', 'ops_console_owner']) EXCEPT SELECT rolname FROM pg_roles LOOP
    EXECUTE format('CREATE ROLE %I', name);
  END LOOP;
END $do$;
ALTER ROLE "ops_console_owner" LOGIN NOCREATEDB NOCREATEROLE NOINHERIT CONNECTION LIMIT 16 PASSWORD :'ops_console_owner';
ALTER ROLE "ops_console" LOGIN NOCREATEDB NOCREATEROLE NOINHERIT CONNECTION LIMIT :connection_limit PASSWORD :'ops_console';
DO $do$ DECLARE name text; other text; BEGIN
  FOR name IN SELECT rolname FROM pg_roles
    WHERE rolname IN ('ops_console', 'ops_console_owner') AND (rolsuper OR rolreplication OR rolbypassrls) LOOP
    EXECUTE format('ALTER ROLE %I NOSUPERUSER NOREPLICATION NOBYPASSRLS', name);
  END LOOP;
  FOR name, other IN SELECT m.rolname, g.rolname FROM pg_auth_members a
    JOIN pg_roles m ON m.oid = a.member JOIN pg_roles g ON g.oid = a.roleid WHERE m.rolname IN ('ops_console', 'ops_console_owner') LOOP
    EXECUTE format('REVOKE %I FROM %I', other, name);
  END LOOP;
END $do$;
DO $do$ DECLARE name text; other text; BEGIN
  IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
    GRANT "ops_console_owner", "ops_console" TO CURRENT_USER;
  END IF;
END $do$;
GRANT CONNECT ON DATABASE :"DBNAME" TO "ops_console", "ops_console_owner";
CREATE SCHEMA IF NOT EXISTS "ops_console" AUTHORIZATION "ops_console_owner";
ALTER SCHEMA "ops_console" OWNER TO "ops_console_owner";
REVOKE ALL ON SCHEMA "ops_console" FROM PUBLIC, "ops_console";
GRANT USAGE ON SCHEMA "ops_console" TO "ops_console";
ALTER DEFAULT PRIVILEGES FOR ROLE "ops_console_owner" REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;
ALTER DEFAULT PRIVILEGES FOR ROLE "ops_console_owner" IN SCHEMA "ops_console" GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO "ops_console";
ALTER DEFAULT PRIVILEGES FOR ROLE "ops_console_owner" IN SCHEMA "ops_console" GRANT USAGE ON SEQUENCES TO "ops_console";
ALTER DEFAULT PRIVILEGES FOR ROLE "ops_console_owner" IN SCHEMA "ops_console" GRANT EXECUTE ON FUNCTIONS TO "ops_console";

COMMIT;
