import type { MigrationInterface, QueryRunner } from "typeorm";

/** Branches, trash, titles and the search index. */
export class BranchTurns1795300000000 implements MigrationInterface {
  readonly name = "BranchTurns1795300000000";

  async up(runner: QueryRunner): Promise<void> {
    // No foreign key: deleting turns relinks their children first, and deleting a thread ignores
    // the links.
    await runner.query(
      "ALTER TABLE turn ADD COLUMN parent_id integer, ADD COLUMN active boolean NOT NULL DEFAULT true",
    );
    await runner.query(`UPDATE turn SET parent_id = linked.previous
      FROM (SELECT id, lag(id) OVER (PARTITION BY thread_id, user_id ORDER BY id) AS previous FROM turn) linked WHERE linked.id = turn.id AND linked.previous IS NOT NULL`);
    // The active path, and the versions of a turn.
    await runner.query("CREATE INDEX turn_path ON turn (thread_id, id) WHERE active");
    await runner.query(
      "CREATE INDEX turn_version ON turn (thread_id, (coalesce(parent_id, 0)), id)",
    );

    await runner.query(
      `ALTER TABLE thread ADD COLUMN deleted_at timestamptz, ADD COLUMN named_by text CHECK (named_by IN ('model', 'person', 'question'))`,
    );
    await runner.query(`UPDATE thread SET named_by = 'person' WHERE name <> 'Thread'`);
    await runner.query(
      "CREATE INDEX thread_trash ON thread (deleted_at) WHERE deleted_at IS NOT NULL",
    );
    await runner.query(
      "CREATE INDEX thread_untitled ON thread (id) WHERE named_by IS NULL AND slug IS NOT NULL",
    );

    await this.addSearch(runner);
  }

  /**
   * A separate table: the text of a running answer is saved every second and must not update a
   * search index each time.
   */
  private async addSearch(runner: QueryRunner): Promise<void> {
    const [icu] = (await runner.query(
      `SELECT 1 FROM pg_collation WHERE collname = 'und-x-icu' LIMIT 1`,
    )) as unknown[];
    const lowered = icu === undefined ? "lower(given)" : 'lower(given COLLATE "und-x-icu")';
    // Case-insensitive words, each ideograph and kana separately (they are written without spaces),
    // without the punctuation of any script. 200,000 characters, because a tsvector holds 1 MB.
    await runner.query(`CREATE FUNCTION search_words(given text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      SELECT to_tsvector('pg_catalog.simple', regexp_replace(regexp_replace(left(${lowered}, 200000),
        '[^[:alnum:]\\u00AA-\\uFFFF]|[\\u00AB\\u00B7\\u00BB\\u00BF\\u2000-\\u206F\\u3000-\\u303F\\uFF00-\\uFF0F\\uFF1A-\\uFF20]', ' ', 'g'),
        '([\\u2E80-\\u2FFF\\u3040-\\u30FF\\u3400-\\u9FFF\\uAC00-\\uD7AF\\uF900-\\uFAFF])', ' \\1 ', 'g')) $$`);
    await runner.query(
      "CREATE TABLE turn_word (turn_id integer PRIMARY KEY REFERENCES turn (id) ON DELETE CASCADE, words tsvector NOT NULL)",
    );
    const schema = await currentSchema(runner);
    // The owner is indexed as a word too, so that the index alone filters out other users' turns.
    await runner.query(`CREATE FUNCTION turn_words(owner integer, question text, answer text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      SELECT array_to_tsvector(ARRAY['@' || coalesce(owner::text, 'instance')]) || "${schema}".search_words(left(question, 100000) || ' ' || left(answer, 100000)) $$`);
    await runner.query(`CREATE FUNCTION save_turn_words() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO "${schema}".turn_word (turn_id, words) VALUES (NEW.id, "${schema}".turn_words(NEW.user_id, NEW.question, NEW.answer))
        ON CONFLICT (turn_id) DO UPDATE SET words = excluded.words;
      RETURN NULL; END $$`);
    await runner.query(
      `CREATE TRIGGER turn_words_inserted AFTER INSERT ON turn FOR EACH ROW WHEN (NEW.state IN ('done', 'failed', 'cancelled')) EXECUTE FUNCTION save_turn_words()`,
    );
    await runner.query(
      `CREATE TRIGGER turn_words_updated AFTER UPDATE OF question, answer, state, user_id ON turn FOR EACH ROW WHEN (NEW.state IN ('done', 'failed', 'cancelled')) EXECUTE FUNCTION save_turn_words()`,
    );
    await runner.query(
      `INSERT INTO turn_word (turn_id, words) SELECT id, turn_words(user_id, question, answer) FROM turn WHERE state IN ('done', 'failed', 'cancelled')`,
    );
    await runner.query("CREATE INDEX turn_word_words ON turn_word USING gin (words)");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP TRIGGER turn_words_inserted ON turn");
    await runner.query("DROP TRIGGER turn_words_updated ON turn");
    await runner.query("DROP FUNCTION save_turn_words, turn_words, search_words");
    await runner.query("DROP TABLE turn_word");
    await runner.query("ALTER TABLE thread DROP COLUMN deleted_at, DROP COLUMN named_by");
    // Without branches, only a thread's active one is a valid history.
    await runner.query("DELETE FROM turn WHERE NOT active");
    await runner.query("ALTER TABLE turn DROP COLUMN parent_id, DROP COLUMN active");
  }
}

async function currentSchema(runner: QueryRunner): Promise<string> {
  const [row] = (await runner.query("SELECT current_schema() AS schema")) as { schema: string }[];
  return row!.schema;
}
