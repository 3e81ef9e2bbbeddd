import type { MigrationInterface, QueryRunner } from "typeorm";

/**
 * What calls of models used and cost. Without foreign keys: it outlives turns, threads, workspaces
 * and users.
 */
export class CreateModelUsage1795460000000 implements MigrationInterface {
  readonly name = "CreateModelUsage1795460000000";

  async up(runner: QueryRunner): Promise<void> {
    // Costs are millionths of a dollar, null where the price isn't known; prices are dollars per
    // million tokens.
    await runner.query(`CREATE TABLE model_usage (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      used_at timestamptz NOT NULL DEFAULT now(),
      purpose text NOT NULL CHECK (purpose IN ('answer', 'title', 'memory')),
      state text NOT NULL CHECK (state IN ('done', 'failed', 'cancelled')),
      turn_id integer,
      thread_id integer,
      workspace_id integer NOT NULL,
      user_id integer,
      key_id integer,
      provider text NOT NULL,
      model text NOT NULL,
      input_tokens integer NOT NULL,
      cached_tokens integer NOT NULL,
      output_tokens integer NOT NULL,
      reasoning_tokens integer NOT NULL,
      is_estimated boolean NOT NULL,
      first_token_ms integer,
      duration_ms integer NOT NULL,
      cost bigint,
      input_price double precision,
      cached_price double precision,
      output_price double precision)`);
    await runner.query("CREATE INDEX model_usage_time ON model_usage (used_at, id)");
    await runner.query(
      "CREATE INDEX model_usage_user ON model_usage (user_id, used_at) WHERE user_id IS NOT NULL",
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP TABLE model_usage");
  }
}
