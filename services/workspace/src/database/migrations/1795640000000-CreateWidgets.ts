import type { MigrationInterface, QueryRunner } from "typeorm";

/** Chat widgets, and the questions of the last 24 hours that their limits count. */
export class CreateWidgets1795640000000 implements MigrationInterface {
  name = "CreateWidgets1795640000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE workspace.widget (
      id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      uuid uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
      workspace_id integer NOT NULL REFERENCES workspace.workspace (id) ON DELETE CASCADE,
      user_id integer,
      name text,
      enabled boolean NOT NULL DEFAULT true,
      chat_mode text NOT NULL DEFAULT 'query' CHECK (chat_mode IN ('chat', 'query')),
      origins text[] NOT NULL DEFAULT '{}',
      allow_any_origin boolean NOT NULL DEFAULT false,
      allow_model_override boolean NOT NULL DEFAULT false,
      allow_temperature_override boolean NOT NULL DEFAULT false,
      allow_prompt_override boolean NOT NULL DEFAULT false,
      day_limit integer,
      session_limit integer,
      visitor_limit integer,
      address_limit integer,
      history_limit integer NOT NULL DEFAULT 20,
      message_length integer NOT NULL DEFAULT 4000,
      messages jsonb NOT NULL DEFAULT '{}',
      show_sources boolean NOT NULL DEFAULT false,
      only_signed_visitors boolean NOT NULL DEFAULT false,
      page_enabled boolean NOT NULL DEFAULT false,
      identity_secret text,
      greeting text,
      suggested_messages text[] NOT NULL DEFAULT '{}',
      appearance jsonb NOT NULL DEFAULT '{}',
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      updated_at timestamptz(3) NOT NULL DEFAULT now()
    )`);
    await runner.query(`CREATE INDEX widget_workspace_idx ON workspace.widget (workspace_id)`);
    await runner.query(
      `CREATE INDEX widget_user_idx ON workspace.widget (user_id) WHERE user_id IS NOT NULL`,
    );
    await runner.query(`CREATE TABLE workspace.widget_question (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      widget_id integer NOT NULL REFERENCES workspace.widget (id) ON DELETE CASCADE,
      session_id text NOT NULL,
      visitor text NOT NULL,
      address text NOT NULL,
      key text NOT NULL,
      asked_at timestamptz NOT NULL DEFAULT now()
    )`);
    // A question sent again, because its answer was lost, counts once.
    await runner.query(
      `CREATE UNIQUE INDEX widget_question_key_idx ON workspace.widget_question (widget_id, session_id, key)`,
    );
    for (const [name, columns] of [
      ["day", "widget_id, asked_at"],
      ["session", "widget_id, session_id, asked_at"],
      ["visitor", "widget_id, visitor, asked_at"],
      ["address", "widget_id, address, asked_at"],
      ["asked", "asked_at"],
    ] as const)
      await runner.query(
        `CREATE INDEX widget_question_${name}_idx ON workspace.widget_question (${columns})`,
      );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE workspace.widget_question, workspace.widget`);
  }
}
