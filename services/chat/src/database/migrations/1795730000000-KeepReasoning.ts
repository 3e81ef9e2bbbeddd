import type { MigrationInterface, QueryRunner } from "typeorm";

/**
 * Which parts of an answer are reasoning, for clients that show it apart, and searches that find
 * only answers. Answers stored before keep their words in the index until they change.
 */
export class KeepReasoning1795730000000 implements MigrationInterface {
  readonly name = "KeepReasoning1795730000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE turn ADD COLUMN reasoning jsonb");
    // Reads each tag once: an unclosed one ends it. Unless there is a record of spans, only what an
    // answer begins with is reasoning.
    await runner.query(`CREATE FUNCTION without_reasoning(answer text, record jsonb) RETURNS text
      LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
      DECLARE
        has_spans boolean := coalesce(jsonb_array_length(record->'spans'), 0) > 0;
        steps text[] := '{}';
        rest text := answer;
        opening integer;
        closing integer;
      BEGIN
        LOOP
          opening := position('<think>' IN rest);
          EXIT WHEN opening = 0;
          EXIT WHEN NOT has_spans AND btrim(left(rest, opening - 1), E' \\t\\r\\n') <> '';
          steps := steps || left(rest, opening - 1);
          rest := substr(rest, opening + 7);
          closing := position('</think>' IN rest);
          rest := CASE WHEN closing = 0 THEN '' ELSE substr(rest, closing + 8) END;
        END LOOP;
        RETURN ltrim(array_to_string(steps || rest, ' '), E' \\t\\r\\n');
      END $$`);
    await this.indexWords(runner, "SCHEMA.without_reasoning(NEW.answer, NEW.reasoning)");
  }

  async down(runner: QueryRunner): Promise<void> {
    await this.indexWords(runner, "NEW.answer");
    await runner.query("DROP FUNCTION without_reasoning");
    await runner.query("ALTER TABLE turn DROP COLUMN reasoning");
  }

  private async indexWords(runner: QueryRunner, answer: string): Promise<void> {
    const [row] = (await runner.query("SELECT current_schema() AS schema")) as { schema: string }[];
    const schema = `"${row!.schema}"`;
    await runner.query(`CREATE OR REPLACE FUNCTION save_turn_words() RETURNS trigger
      LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO ${schema}.turn_word (turn_id, words)
        VALUES (NEW.id, ${schema}.turn_words(NEW.user_id, NEW.question, ${answer.replace("SCHEMA", schema)}))
        ON CONFLICT (turn_id) DO UPDATE SET words = excluded.words;
      RETURN NULL; END $$`);
  }
}
