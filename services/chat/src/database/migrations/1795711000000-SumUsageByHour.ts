import type { MigrationInterface, QueryRunner } from "typeorm";

const columns = `answers integer NOT NULL,
  failed integer NOT NULL,
  input_tokens bigint NOT NULL,
  cached_tokens bigint NOT NULL,
  output_tokens bigint NOT NULL,
  reasoning_tokens bigint NOT NULL,
  characters bigint NOT NULL,
  audio_ms bigint NOT NULL,
  searches integer NOT NULL,
  cost bigint,
  unpriced integer NOT NULL`;
/** Sums of what models used, which reports read instead of single calls. */
export class SumUsageByHour1795711000000 implements MigrationInterface {
  readonly name = "SumUsageByHour1795711000000";

  async up(runner: QueryRunner): Promise<void> {
    // Days of UTC. `cost` is null if no call's price was known. `first_token_bins` has a number for
    // each answer.
    await runner.query(`CREATE TABLE usage_day (
      day date NOT NULL,
      workspace_id integer,
      user_id integer,
      key_id integer,
      provider text NOT NULL,
      model text NOT NULL,
      ${columns},
      first_token_bins smallint[] NOT NULL)`);
    // Sums of everything, and of each workspace, user, provider, model and API key.
    await runner.query(`CREATE TABLE usage_hour (
      dimension text NOT NULL,
      key text NOT NULL,
      hour timestamptz NOT NULL,
      ${columns},
      PRIMARY KEY (dimension, key, hour))`);
    // Calls that the sums don't have yet.
    await runner.query("CREATE TABLE usage_pending (usage_id bigint PRIMARY KEY)");
    const [{ schema }] = (await runner.query("SELECT current_schema() AS schema")) as [
      { schema: string },
    ];
    await runner.query(`CREATE FUNCTION queue_usage() RETURNS trigger
      LANGUAGE plpgsql VOLATILE SET search_path = "${schema}", pg_temp AS $$
    BEGIN
      INSERT INTO usage_pending (usage_id) SELECT id FROM added;
      RETURN NULL;
    END $$`);
    await runner.query(`CREATE UNIQUE INDEX usage_day_key
      ON usage_day (day, workspace_id, user_id, key_id, provider, model) NULLS NOT DISTINCT`);
    await runner.query(
      "CREATE INDEX usage_day_user ON usage_day (user_id, day) WHERE user_id IS NOT NULL",
    );
    // Locks the table against inserts until the commit, so each call is pending once. Summing them up
    // here would hold up answers that end meanwhile; `UsageSummer` does it in batches.
    await runner.query(`CREATE TRIGGER queue_usage AFTER INSERT ON model_usage
      REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION queue_usage()`);
    await runner.query("INSERT INTO usage_pending (usage_id) SELECT id FROM model_usage");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP TRIGGER queue_usage ON model_usage");
    await runner.query("DROP FUNCTION queue_usage");
    await runner.query("DROP TABLE usage_pending, usage_hour, usage_day");
  }
}
