import type { MigrationInterface, QueryRunner } from "typeorm";

/**
 * Makes the event log a hash chain (docs/decisions/audit.md) and chains the existing entries. The
 * triggers keep mistakes away; they don't stop the owner of the database, which is what the chain
 * and its signed anchors are for.
 */
export class ChainEvents1795800000000 implements MigrationInterface {
  name = "ChainEvents1795800000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE workspace.event_log
      ADD COLUMN sequence integer,
      ADD COLUMN previous_hash bytea,
      ADD COLUMN hash bytea`);
    await runner.query(`CREATE TABLE workspace.event_chain (
      is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
      instance uuid NOT NULL,
      sequence integer NOT NULL,
      hash bytea NOT NULL
    )`);
    await runner.query(`CREATE TABLE workspace.event_key (
      fingerprint text PRIMARY KEY,
      public_key text NOT NULL,
      sealed_private_key text NOT NULL,
      created_at timestamptz(3) NOT NULL DEFAULT now()
    )`);
    await runner.query(`CREATE TABLE workspace.event_anchor (
      day date PRIMARY KEY,
      sequence integer NOT NULL,
      hash bytea NOT NULL,
      signed_at timestamptz(3) NOT NULL,
      key text NOT NULL REFERENCES workspace.event_key (fingerprint),
      signature text NOT NULL
    )`);
    await runner.query(`CREATE TABLE workspace.event_checkpoint (
      sequence integer PRIMARY KEY,
      from_sequence integer NOT NULL,
      hash bytea NOT NULL,
      reason text NOT NULL,
      signed_at timestamptz(3) NOT NULL,
      key text NOT NULL REFERENCES workspace.event_key (fingerprint),
      signature text NOT NULL
    )`);
    await runner.query(`CREATE FUNCTION workspace.event_hash(
      sequence integer, previous_hash bytea, event_id uuid, occurred_at timestamptz,
      user_id integer, event text, metadata jsonb
    ) RETURNS bytea LANGUAGE sql STABLE AS $$
      SELECT sha256(convert_to(concat_ws(E'\\n',
        'carrel-event-v1',
        sequence,
        encode(previous_hash, 'hex'),
        event_id,
        to_char(occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        coalesce(user_id::text, '-'),
        octet_length(convert_to(event, 'UTF8')),
        event,
        metadata::text
      ), 'UTF8'))
    $$`);
    await this.chainExisting(runner);
    await runner.query(
      `CREATE UNIQUE INDEX event_log_sequence_idx ON workspace.event_log (sequence)`,
    );
    await runner.query(
      `CREATE INDEX event_log_event_idx ON workspace.event_log (event, occurred_at DESC, id DESC)`,
    );
    await runner.query(
      `CREATE INDEX event_log_user_idx ON workspace.event_log (user_id, occurred_at DESC, id DESC)`,
    );
    await this.chainNew(runner);
    await this.refuseChanges(runner);
  }

  private async chainExisting(runner: QueryRunner): Promise<void> {
    // A long log takes a while.
    await runner.query(`SET LOCAL statement_timeout = 0`);
    await runner.query(`DO $$
    DECLARE
      chain uuid := gen_random_uuid();
      last bytea := sha256(convert_to('carrel-event-log-v1' || E'\\n' || chain, 'UTF8'));
      position integer := 0;
      entry record;
    BEGIN
      FOR entry IN SELECT id FROM workspace.event_log ORDER BY id LOOP
        position := position + 1;
        UPDATE workspace.event_log e
        SET sequence = position,
          previous_hash = last,
          hash = workspace.event_hash(
            position, last, e.event_id, e.occurred_at, e.user_id, e.event, e.metadata
          )
        WHERE e.id = entry.id
        RETURNING e.hash INTO last;
      END LOOP;
      INSERT INTO workspace.event_chain (instance, sequence, hash) VALUES (chain, position, last);
    END $$`);
  }

  /**
   * Deferred to the commit: until then, nobody waits for the transaction that holds the head of the
   * chain, and it waits for nothing else, so it can't deadlock.
   */
  private async chainNew(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE FUNCTION workspace.chain_event() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      head workspace.event_chain;
      next bytea;
    BEGIN
      SELECT * INTO STRICT head FROM workspace.event_chain FOR UPDATE;
      UPDATE workspace.event_log e
      SET sequence = head.sequence + 1,
        previous_hash = head.hash,
        hash = workspace.event_hash(
          head.sequence + 1, head.hash, e.event_id, e.occurred_at, e.user_id, e.event, e.metadata
        )
      WHERE e.id = NEW.id
      RETURNING e.hash INTO STRICT next;
      UPDATE workspace.event_chain SET sequence = head.sequence + 1, hash = next;
      RETURN NULL;
    END $$`);
    await runner.query(`CREATE CONSTRAINT TRIGGER event_log_chain
      AFTER INSERT ON workspace.event_log DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION workspace.chain_event()`);
  }

  private async refuseChanges(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE FUNCTION workspace.refuse_event_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
    END $$`);
    await runner.query(`CREATE FUNCTION workspace.refuse_event_removal() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF EXISTS (
        SELECT 1 FROM removed
        WHERE sequence IS NULL
          OR sequence > coalesce((SELECT max(c.sequence) FROM workspace.event_checkpoint c), 0)
      ) THEN
        RAISE EXCEPTION 'entries are removed only below a checkpoint'
          USING ERRCODE = 'integrity_constraint_violation';
      END IF;
      RETURN NULL;
    END $$`);
    await runner.query(`CREATE TRIGGER event_log_refuse_update
      BEFORE UPDATE ON workspace.event_log
      FOR EACH ROW WHEN (OLD.sequence IS NOT NULL) EXECUTE FUNCTION workspace.refuse_event_change()`);
    await runner.query(`CREATE TRIGGER event_log_refuse_delete
      AFTER DELETE ON workspace.event_log REFERENCING OLD TABLE AS removed
      FOR EACH STATEMENT EXECUTE FUNCTION workspace.refuse_event_removal()`);
    await runner.query(`CREATE TRIGGER event_log_refuse_truncate
      BEFORE TRUNCATE ON workspace.event_log
      FOR EACH STATEMENT EXECUTE FUNCTION workspace.refuse_event_change()`);
    for (const table of ["event_anchor", "event_checkpoint"])
      await runner.query(`CREATE TRIGGER ${table}_refuse_change
        BEFORE UPDATE OR DELETE OR TRUNCATE ON workspace.${table}
        FOR EACH STATEMENT EXECUTE FUNCTION workspace.refuse_event_change()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TRIGGER event_log_chain ON workspace.event_log`);
    for (const trigger of ["update", "delete", "truncate"])
      await runner.query(`DROP TRIGGER event_log_refuse_${trigger} ON workspace.event_log`);
    for (const table of ["event_anchor", "event_checkpoint", "event_key", "event_chain"])
      await runner.query(`DROP TABLE workspace.${table}`);
    for (const name of ["chain_event", "event_hash", "refuse_event_change", "refuse_event_removal"])
      await runner.query(`DROP FUNCTION workspace.${name}`);
    await runner.query(`DROP INDEX workspace.event_log_event_idx`);
    await runner.query(`DROP INDEX workspace.event_log_user_idx`);
    await runner.query(`ALTER TABLE workspace.event_log
      DROP COLUMN sequence,
      DROP COLUMN previous_hash,
      DROP COLUMN hash`);
  }
}
